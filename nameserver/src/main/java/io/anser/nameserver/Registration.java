package io.anser.nameserver;

/** How the route table took a registration. */
sealed interface Registration {
    /**
     * The broker is in the table, whether this registration changed it or was an old one overtaken by a newer.
     *
     * @param masterAddress for a replica, {@code host:port} of its master; empty for a master or if there is none
     * @param masterHaAddress for a replica, where it replicates from; empty for a master or if there is none
     * @param isNew whether the broker was not in the table before
     */
    record Accepted(String masterAddress, String masterHaAddress, boolean isNew) implements Registration {}

    /**
     * The broker is not in the table.
     *
     * @param reason a sentence for the broker's operator
     */
    record Refused(String reason) implements Registration {}
}
