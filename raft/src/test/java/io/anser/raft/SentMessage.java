package io.anser.raft;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** One message on its way into a group, with its outcome. */
final class SentMessage extends Append {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);

    /** Where a message was stored. */
    record Stored(String body, long queueOffset, long position) {}

    private final QueueLog queue;
    private final byte[] topic;
    private final byte[] body;
    final CompletableFuture<Stored> outcome = new CompletableFuture<>();

    SentMessage(QueueLog queue, String body) {
        this.queue = queue;
        this.topic = queue.topic().getBytes(StandardCharsets.UTF_8);
        this.body = body.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int items() {
        return 1;
    }

    @Override
    public QueueLog queue(int item) {
        return queue;
    }

    @Override
    public int bytes(int item) {
        return MessageEncoder.encodedBytes(topic.length, body.length, 0, false, false);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        MessageHeader header = new MessageHeader(queue.queueId(), 0, 0, 1_000, HOST, HOST, 0, 0);
        MessageEncoder.encode(target, header, topic, ByteBuffer.wrap(body), new byte[0]);
    }

    @Override
    public void committed() {
        outcome.complete(new Stored(new String(body, StandardCharsets.UTF_8), queueOffset(0), position(0)));
    }

    @Override
    public void failed(StoreException reason) {
        outcome.completeExceptionally(reason);
    }
}
