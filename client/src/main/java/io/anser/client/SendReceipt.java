package io.anser.client;

/**
 * The broker's word that it has a message, as durable as the broker is set to be.
 *
 * @param messageId the id this client gave the message; consumers see the same one
 * @param offsetMessageId the broker's id, which names its place in the log; empty from brokers that give none
 * @param topic where it went
 * @param brokerName the broker that has it
 * @param queueId the queue of the topic at that broker
 * @param queueOffset its index in that queue
 * @param status how durable it is already
 */
public record SendReceipt(
        String messageId,
        String offsetMessageId,
        String topic,
        String brokerName,
        int queueId,
        long queueOffset,
        Status status) {

    /** What the broker had done when it answered. */
    public enum Status {
        /** All that the broker is set to do before it answers. */
        STORED,
        /** Stored, but flushing it to the disk took too long. */
        NOT_YET_FLUSHED,
        /** Stored, but no replica has it yet. */
        NOT_YET_REPLICATED
    }
}
