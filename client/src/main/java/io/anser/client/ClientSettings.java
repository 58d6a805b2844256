package io.anser.client;

import java.time.Duration;

/**
 * What a client was told, checked.
 *
 * @param producerGroup the name under which brokers list this client's sending side
 * @param sendTimeout how long one send may take over all its attempts, waiting for a place in the window included
 * @param attemptTimeout how long one attempt waits for the broker's answer
 * @param maxSendAttempts most attempts of one send
 * @param maxInFlightMessages most sends without an answer; a batch counts as one
 * @param maxInFlightBytes most bytes of sends without an answer
 * @param compressAboveBytes bodies longer than this are compressed
 * @param queuesOfNewTopics how many queues to ask for at each broker when a send makes a topic
 */
record ClientSettings(
        String producerGroup,
        Duration sendTimeout,
        Duration attemptTimeout,
        int maxSendAttempts,
        int maxInFlightMessages,
        long maxInFlightBytes,
        int compressAboveBytes,
        int queuesOfNewTopics) {

    ClientSettings {
        requireAtLeastOne("sendTimeout in ms", sendTimeout.toMillis());
        requireAtLeastOne("attemptTimeout in ms", attemptTimeout.toMillis());
        requireAtLeastOne("maxSendAttempts", maxSendAttempts);
        requireAtLeastOne("maxInFlightMessages", maxInFlightMessages);
        requireAtLeastOne("maxInFlightBytes", maxInFlightBytes);
        requireAtLeastOne("compressAboveBytes", compressAboveBytes);
        requireAtLeastOne("queuesOfNewTopics", queuesOfNewTopics);
    }

    static void requireAtLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1");
        }
    }
}
