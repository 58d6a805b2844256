package io.anser.bench.jmh;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages as fast as the store takes them, from one thread, with units that are used again: whatever is allocated
 * while a burst runs is allocated by the store. The queues take turns.
 */
final class Burst {
    /** Units in flight: enough for full batches, few enough to stay below what the store lets wait. */
    private static final int UNITS = 4096;

    private static final int BODY_BYTES = 1024;
    private static final String TOPIC = "burst";
    private static final String PROPERTIES = "UNIQ_KEY\u00017F000001123418B4AAC2000000000000\u0002TAGS\u0001TagA\u0002";
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);

    /** Queues of one topic; more queues are spread over more topics. */
    private static final int QUEUES_OF_A_TOPIC = 1000;

    private final MessageStore store;
    private final QueueLog[] queues;
    private final ByteBuffer[] encoded;
    private final Unit[] units = new Unit[UNITS];
    private int turn;
    private long appended;
    private volatile long told;
    private volatile @Nullable StoreException failure;

    Burst(MessageStore store, int queueCount) {
        this.store = store;
        this.queues = new QueueLog[queueCount];
        this.encoded = new ByteBuffer[queueCount];
        for (int i = 0; i < queueCount; i++) {
            queues[i] = store.queue(TOPIC + i / QUEUES_OF_A_TOPIC, i % QUEUES_OF_A_TOPIC);
            encoded[i] = message(queues[i]);
        }
        for (int i = 0; i < UNITS; i++) {
            units[i] = new Unit();
        }
    }

    private static ByteBuffer message(QueueLog queue) {
        byte[] topic = queue.topic().getBytes(StandardCharsets.UTF_8);
        byte[] properties = PROPERTIES.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(BODY_BYTES);
        int bytes = MessageEncoder.encodedBytes(topic.length, BODY_BYTES, properties.length, false, false);
        ByteBuffer message = ByteBuffer.allocate(bytes);
        MessageHeader header = new MessageHeader(queue.queueId(), 0, 0, 1_000, HOST, HOST, 0, 0);
        MessageEncoder.encode(message, header, topic, body, properties);
        return message.flip();
    }

    /** Appends so many messages and waits until all are committed. */
    void run(long messages) {
        long until = appended + messages;
        while (appended < until) {
            awaitTold(appended - UNITS + 1);
            Unit unit = units[(int) (appended % UNITS)];
            unit.turn = turn;
            turn = turn + 1 == queues.length ? 0 : turn + 1;
            store.append(unit);
            appended++;
        }
        awaitTold(until);
    }

    QueueLog queue(int index) {
        return queues[index];
    }

    private void awaitTold(long count) {
        while (told < count) {
            StoreException reason = failure;
            if (reason != null) {
                throw reason;
            }
            Thread.onSpinWait();
        }
    }

    /** One message; used again once it was told. */
    private final class Unit extends Append {
        private int turn;

        @Override
        public int items() {
            return 1;
        }

        @Override
        public QueueLog queue(int item) {
            return queues[turn];
        }

        @Override
        public int bytes(int item) {
            return encoded[turn].limit();
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            target.put(encoded[turn].array(), 0, encoded[turn].limit());
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // written by the committing thread only
        public void committed() {
            told++;
        }

        @Override
        public void failed(StoreException reason) {
            failure = reason;
        }
    }
}
