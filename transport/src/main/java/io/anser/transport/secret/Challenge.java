package io.anser.transport.secret;

import io.anser.protocol.frame.FieldName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * What both sides of a connection have told before they prove that they have the secret.
 *
 * <table>
 * <caption>Requests on a new connection, of who dialled</caption>
 * <tr><th>code</th><th>fields</th><th>fields of the answer</th></tr>
 * <tr><td>30110</td><td>clusterPurpose, clusterFrom, clusterTo, clusterNonce</td><td>clusterNonce</td></tr>
 * <tr><td>30111</td><td>clusterProof</td><td>clusterProof</td></tr>
 * </table>
 *
 * <p>A proof is the HMAC-SHA-256, by the secret, of seven texts, each with its length before it: a fixed one, the role of
 * who proves ({@code dialler} or {@code acceptor}), and the five of this record. In hexadecimal digits, as nonces are.
 *
 * @param purpose what the connection is for: a proof for one is none for the other
 * @param from what the dialling process calls itself
 * @param to the address that it dialled
 * @param diallerNonce made by who dialled, for this connection alone
 * @param acceptorNonce made by who accepted, for this connection alone
 */
record Challenge(Purpose purpose, String from, String to, String diallerNonce, String acceptorNonce) {
    static final int HELLO = 30_110;
    static final int PROVE = 30_111;

    static final FieldName PURPOSE = FieldName.of("clusterPurpose");
    static final FieldName FROM = FieldName.of("clusterFrom");
    static final FieldName TO = FieldName.of("clusterTo");
    static final FieldName NONCE = FieldName.of("clusterNonce");
    static final FieldName PROOF = FieldName.of("clusterProof");

    static final int NONCE_BYTES = 32;

    private static final String LABEL = "anser cluster 1";

    /** Who proves: a proof of one role says nothing in the other, so that none can be sent back to where it came from. */
    enum Role {
        DIALLER("dialler"),
        ACCEPTOR("acceptor");

        private final String text;

        Role(String text) {
            this.text = text;
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    String proof(Role role, ClusterSecret secret) {
        StringBuilder all = new StringBuilder();
        for (String text : List.of(LABEL, role.text, purpose.text(), from, to, diallerNonce, acceptorNonce)) {
            all.append(text.length()).append(':').append(text);
        }
        return hex(secret.codeOf(all.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether somebody in a role has proved to have the secret. Takes the same time wherever the first difference is. */
    boolean isProved(String proof, Role role, ClusterSecret secret) {
        return MessageDigest.isEqual(
                proof(role, secret).getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
    }
}
