package io.anser.broker.append;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.SysFlag;
import io.anser.store.file.StoreException;

/**
 * Where messages of transactions wait for the decision: in the half topic, with where they belong. There may be only so many,
 * because what waits is kept in memory. Any thread.
 */
public final class HalfMessages {
    private static final String[] MARKS = {
        PropertyNames.REAL_TOPIC,
        PropertyNames.REAL_QID,
        PropertyNames.TRAN_MSG,
        PropertyNames.TRAN_PREPARED_QUEUE_OFFSET
    };

    private final BrokerState state;
    private final int maxOpen;

    /**
     * Makes the waiting room.
     *
     * @param maxOpen most transactions that may be open
     */
    public HalfMessages(BrokerState state, int maxOpen) {
        this.state = state;
        this.maxOpen = maxOpen;
    }

    /**
     * Returns the half message to store instead of a message of a transaction.
     *
     * @param real the message as a commit will store it
     * @param producerGroup whom to ask when no decision comes
     * @throws StoreException BUSY if too many transactions are open, DROPPED if the topic is being deleted
     */
    public NewMessage of(NewMessage real, String producerGroup) {
        int open = state.transactions().size();
        if (open >= maxOpen) {
            throw new StoreException(StoreException.Kind.BUSY, "open transactions=" + open + " limit=" + maxOpen);
        }
        byte[] properties = real.allProperties();
        properties = MessageProperties.with(
                properties, PropertyNames.REAL_TOPIC, real.topic().name());
        properties = MessageProperties.with(
                properties,
                PropertyNames.REAL_QID,
                Integer.toString(real.header().queueId()));
        properties = MessageProperties.with(properties, PropertyNames.TRAN_MSG, "true");
        properties = MessageProperties.with(properties, PropertyNames.PGROUP, producerGroup);
        Topic half = state.topics().find(Names.HALF_TOPIC).orElseThrow();
        return new NewMessage(half, undecided(real.header()), real.body(), properties).waitingFor(real.queue());
    }

    /** Returns the properties of a half message as they are when its transaction is committed. */
    public static byte[] committed(byte[] properties) {
        byte[] left = properties;
        for (String name : MARKS) {
            left = MessageProperties.without(left, name);
        }
        return left;
    }

    private static MessageHeader undecided(MessageHeader header) {
        return new MessageHeader(
                0,
                header.flag(),
                SysFlag.withTransaction(header.sysFlag(), SysFlag.TRANSACTION_NONE),
                header.bornTimestamp(),
                header.bornHost(),
                header.storeHost(),
                header.reconsumeTimes(),
                0);
    }
}
