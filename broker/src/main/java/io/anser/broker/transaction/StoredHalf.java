package io.anser.broker.transaction;

import io.anser.broker.append.HalfMessages;
import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.SysFlag;
import io.anser.protocol.operation.CheckTransactionState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A half message as it lies in the log, and what becomes of it. What it returns refers to its bytes.
 *
 * @param view stands on the message; used by one thread
 * @param topic where a commit puts it
 * @param queueId the queue that the producer chose
 * @param group the producer group
 */
record StoredHalf(MessageView view, String topic, int queueId, String group) {
    /**
     * Reads a half message.
     *
     * @throws MalformedMessageException if it does not say where it belongs
     */
    static StoredHalf of(ByteBuffer stored) {
        MessageView view = new MessageView().wrap(stored, stored.position());
        String queue = required(view, PropertyNames.REAL_QID);
        try {
            return new StoredHalf(
                    view,
                    required(view, PropertyNames.REAL_TOPIC),
                    Integer.parseInt(queue),
                    required(view, PropertyNames.PGROUP));
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("property " + PropertyNames.REAL_QID + " is not a number");
        }
    }

    private static String required(MessageView view, String name) {
        return view.property(name).orElseThrow(() -> new MalformedMessageException("property " + name + " is missing"));
    }

    /** Returns the unique id that the producer gave the message, empty without one. */
    String uniqueId() {
        return view.property(PropertyNames.UNIQ_KEY).orElse("");
    }

    /** Returns the message as a commit puts it into its topic, which may have fewer queues than when it was sent. */
    NewMessage committed(Topic real, long id) {
        int queue = Math.floorMod(queueId, real.queueCount());
        int sysFlag = SysFlag.withTransaction(view.sysFlag(), SysFlag.TRANSACTION_COMMIT);
        return new NewMessage(real, header(queue, sysFlag, id), view.body(), HalfMessages.committed(view.properties()));
    }

    /** Returns the message as it goes to the topic of those given up: with where it belonged, and which transaction it was. */
    NewMessage givenUp(Topic topicOfGivenUp, OpenTransaction transaction) {
        byte[] properties = with(PropertyNames.TRAN_PREPARED_QUEUE_OFFSET, Long.toString(transaction.queueOffset()));
        return new NewMessage(topicOfGivenUp, header(0, view.sysFlag(), transaction.id()), view.body(), properties);
    }

    /**
     * Returns the queue offset of the first half message, where this one was given up.
     *
     * @throws MalformedMessageException if it does not say
     */
    long firstQueueOffset() {
        String offset = required(view, PropertyNames.TRAN_PREPARED_QUEUE_OFFSET);
        try {
            return Long.parseLong(offset);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException(
                    "property " + PropertyNames.TRAN_PREPARED_QUEUE_OFFSET + " is not a number");
        }
    }

    /** Returns the question to a producer. */
    CheckTransactionState.Request question(OpenTransaction transaction) {
        return new CheckTransactionState.Request(
                topic,
                transaction.queueOffset(),
                transaction.id(),
                uniqueId(),
                uniqueId(),
                new OffsetMessageId(view.storeHost(), transaction.id()).encode());
    }

    /** Returns the message as a producer that is asked gets it: in its own topic, with the place of the first half message. */
    ByteBuffer questionBody(OpenTransaction transaction) {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        byte[] properties = with(PropertyNames.TRANSACTION_CHECK_TIMES, Integer.toString(transaction.checks() + 1));
        MessageHeader header = header(queueId, view.sysFlag(), 0);
        int bytes = MessageEncoder.encodedBytes(
                name.length,
                view.bodyLength(),
                properties.length,
                header.bornHost().isV6(),
                header.storeHost().isV6());
        ByteBuffer message = ByteBuffer.allocate(bytes);
        MessageEncoder.encode(message, header, name, view.body(), properties);
        MessageEncoder.patch(message, 0, transaction.queueOffset(), transaction.id(), transaction.storedMillis());
        return message.flip();
    }

    /** The message's properties and one more, as long as there is room for it. */
    private byte[] with(String name, String value) {
        byte[] properties = MessageProperties.with(view.properties(), name, value);
        return properties.length <= MessageLayout.MAX_PROPERTIES_BYTES ? properties : view.properties();
    }

    private MessageHeader header(int queue, int sysFlag, long prepared) {
        return copy(view, queue, sysFlag, prepared);
    }

    /**
     * Returns a half message as it is appended again; it need not be a good one.
     *
     * @param transaction whose message it is: it names the first one, by which it is known not to be new
     */
    static NewMessage again(ByteBuffer stored, Topic halfTopic, OpenTransaction transaction) {
        MessageView view = new MessageView().wrap(stored, stored.position());
        return new NewMessage(
                halfTopic, copy(view, 0, view.sysFlag(), transaction.copyMark()), view.body(), view.properties());
    }

    private static MessageHeader copy(MessageView view, int queue, int sysFlag, long prepared) {
        return new MessageHeader(
                queue,
                view.flag(),
                sysFlag,
                view.bornTimestamp(),
                view.bornHost(),
                view.storeHost(),
                view.reconsumeTimes(),
                prepared);
    }
}
