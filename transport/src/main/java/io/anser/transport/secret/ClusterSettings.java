package io.anser.transport.secret;

import io.anser.system.Setting;

/**
 * How the processes of a cluster know one another.
 *
 * @param secret file that holds the secret of the cluster; empty: there is none
 * @param insecure whether members of a group that can be reached from other machines may do without a secret
 */
public record ClusterSettings(
        @Setting(
                key = "cluster.secret",
                text =
                        "File of mode 0600 with the secret that brokers of one group, and brokers and name servers, prove to one"
                                + " another; made by anser cluster secret. Empty: none.")
        String secret,

        @Setting(
                key = "cluster.insecure",
                text =
                        "Whether members of a group that listen beyond the loopback may do without cluster.secret: anybody who"
                                + " reaches them can then change and read everything.")
        boolean insecure) {

    /** No secret, and none needed as long as all is on one machine. */
    public static ClusterSettings defaults() {
        return new ClusterSettings("", false);
    }

    /** Whether there is a secret. */
    public boolean hasSecret() {
        return !secret.isBlank();
    }
}
