package io.anser.broker.testing;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One message on its way into a real store. */
public final class StoredMessage extends Append {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private final QueueLog queue;
    private final byte[] topic;
    private final byte[] body;
    private final byte[] properties;
    private final CompletableFuture<Long> told = new CompletableFuture<>();

    private StoredMessage(QueueLog queue, String body, String tag) {
        this.queue = queue;
        this.topic = utf8(queue.topic());
        this.body = utf8(body);
        this.properties = utf8(tag.isEmpty() ? "" : "TAGS\u0001" + tag + "\u0002");
    }

    /** A message with a tag, or without if the tag is empty. */
    public static StoredMessage of(QueueLog queue, String body, String tag) {
        return new StoredMessage(queue, body, tag);
    }

    /** Waits until the message is committed and returns its queue offset. */
    public long await() throws Exception {
        return told.get(30, TimeUnit.SECONDS);
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
        return MessageEncoder.encodedBytes(topic.length, body.length, properties.length, false, false);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        MessageHeader header = new MessageHeader(queue.queueId(), 0, 0, 0, HOST, HOST, 0, 0);
        MessageEncoder.encode(target, header, topic, ByteBuffer.wrap(body), properties);
    }

    @Override
    public void committed() {
        told.complete(queueOffset(0));
    }

    @Override
    public void failed(StoreException reason) {
        told.completeExceptionally(reason);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
