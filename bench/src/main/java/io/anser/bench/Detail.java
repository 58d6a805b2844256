package io.anser.bench;

/** A figure that only some workloads have. The name of the constant, in small letters with hyphens, names it in JSON. */
enum Detail {
    /** Of the append path, from the microbenchmark. */
    RECORDS_PER_CORE_SECOND("records per core-second of the append path"),
    /** The same with what helps it. */
    RECORDS_PER_CORE_SECOND_OF_ALL_THREADS("the same with the threads that prepare space and write back"),
    /** Garbage of the append path. */
    ALLOCATED_BYTES_PER_RECORD("bytes allocated per record"),

    /** Sends while nobody reads old messages. */
    ACK_P99_ALONE_MILLIS("ack p99 without the cold group, ms"),
    /** Sends beside a group that reads old messages. */
    ACK_P99_MILLIS("ack p99 beside the cold group, ms"),
    /** Deliveries at the tail while nobody reads old messages. */
    DELIVERY_P99_ALONE_MILLIS("delivery p99 without the cold group, ms"),
    /** Deliveries at the tail beside a group that reads old messages. */
    DELIVERY_P99_MILLIS("delivery p99 beside the cold group, ms"),
    /** What the group with the old messages got. */
    COLD_MESSAGES_PER_SECOND("messages/s of the cold group"),
    /** Shows that the messages were cold. */
    DEVICE_READ_MIB_PER_SECOND("read from the device by the server beside the cold group, MiB/s"),

    /** The last of many delayed messages. */
    LAST_DUE_MILLIS("last message delivered after all were due, ms"),

    /** Reachable objects that came with the messages. */
    HEAP_MIB_PER_MILLION("live heap for a million messages, MiB"),
    /** Reachable objects with all messages stored. */
    LIVE_HEAP_MIB("live heap with all messages stored, MiB"),
    /** Files of everything derived from the log, after a clean stop. */
    INDEX_MIB_PER_MILLION("files of indexes and snapshots for a million messages, MiB"),
    /** The same for all messages. */
    INDEX_MIB("files of indexes and snapshots, MiB");

    private final String text;

    Detail(String text) {
        this.text = text;
    }

    /** What it is, with its unit, for a reader. */
    String text() {
        return text;
    }

    /** Its name in JSON. */
    String id() {
        return Names.hyphenated(name());
    }
}
