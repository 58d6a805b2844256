package io.anser.broker.transaction;

/**
 * A transaction that nobody has decided, or that was given up, for people who look after it.
 *
 * @param id log position at which its half message was stored first
 * @param topic where a commit puts the message; empty when the message cannot be read
 * @param producerGroup whom the broker asks; empty likewise
 * @param uniqueId the producer's id of the message; empty without one
 * @param sinceMillis wall time at which it was stored, or at which it was given up
 * @param checks how often a producer was asked; 0 when it was given up
 */
public record UnresolvedTransaction(
        long id, String topic, String producerGroup, String uniqueId, long sinceMillis, int checks) {}
