package io.anser.protocol.message;

/**
 * The fields of a message that its writer knows before the message has a place in the log.
 *
 * @param queueId queue of the topic, from 0
 * @param flag the sender's own flag, kept as it is
 * @param sysFlag see {@link SysFlag}; the two host bits are set by the encoder
 * @param bornTimestamp the sender's time, milliseconds
 * @param bornHost where the sender's connection comes from
 * @param storeHost the broker's advertised address
 * @param reconsumeTimes how often the message was consumed without success
 * @param preparedTransactionOffset log position of the prepared message, 0 outside of transactions
 */
public record MessageHeader(
        int queueId,
        int flag,
        int sysFlag,
        long bornTimestamp,
        WireHost bornHost,
        WireHost storeHost,
        int reconsumeTimes,
        long preparedTransactionOffset) {}
