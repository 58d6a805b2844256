package io.anser.server;

/** What a process does. */
public enum Role {
    /** Name server and broker in one process on one port. */
    SERVER("name server and broker", 9876),
    /** Only the name server. */
    NAMESERVER("name server", 9876),
    /** Only the broker; it needs name servers elsewhere. */
    BROKER("broker", 10911);

    private final String words;
    private final int defaultPort;

    Role(String words, int defaultPort) {
        this.words = words;
        this.defaultPort = defaultPort;
    }

    /** The role for a reader. */
    String words() {
        return words;
    }

    /** The port it listens on when none is given. */
    int defaultPort() {
        return defaultPort;
    }

    boolean hasNameServer() {
        return this != BROKER;
    }

    boolean hasBroker() {
        return this != NAMESERVER;
    }
}
