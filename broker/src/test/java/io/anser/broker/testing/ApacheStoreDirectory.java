package io.anser.broker.testing;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.WireHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The store directory of an Apache broker, made by hand from the facts of its format: one file of log, settings, notes. */
public final class ApacheStoreDirectory {
    /** Size of the one file of the log. */
    public static final int FILE_BYTES = 1 << 20;

    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);
    private static final String LOG = "commitlog/00000000000000000000";

    private final Path root;
    private final Map<String, Long> nextOffsets = new HashMap<>();
    private long position;

    /** A directory with an empty log. */
    public ApacheStoreDirectory(Path root) {
        this.root = root;
        write(LOG, new byte[FILE_BYTES]);
    }

    /** Writes {@code topics.json} with topics of four queues. */
    public void topics(String... names) {
        Map<String, String> members = new LinkedHashMap<>();
        for (String name : names) {
            members.put(name, "{\"topicName\":\"" + name + "\",\"readQueueNums\":4,\"writeQueueNums\":4,\"perm\":6}");
        }
        text("config/topics.json", "{\"topicConfigTable\":" + object(members) + "}");
    }

    /** Writes {@code consumerOffset.json}: its table as {@code "topic@group":{0:5}}. */
    public void consumerOffsets(String table) {
        text("config/consumerOffset.json", "{\"offsetTable\":{" + table + "}}");
    }

    /** Writes {@code delayOffset.json}: its table as {@code 1:5}. */
    public void delayOffsets(String table) {
        text("config/delayOffset.json", "{\"offsetTable\":{" + table + "}}");
    }

    /** Writes {@code timercheck}. */
    public void timerCheck(long readMillis, long queueOffset) {
        write(
                "config/timercheck",
                ByteBuffer.allocate(4096)
                        .putLong(readMillis)
                        .putLong(0)
                        .putLong(queueOffset)
                        .putLong(queueOffset)
                        .array());
    }

    /** Leaves the mark of a broker that did not end in good order. */
    public void killed() {
        write("abort", new byte[0]);
    }

    private static String object(Map<String, String> members) {
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) -> text.append(text.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(value));
        return text.append('}').toString();
    }

    /** Writes a text file. */
    public void text(String name, String text) {
        write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file. */
    public void write(String name, byte[] bytes) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins a message. */
    public Message message(String topic, String body) {
        return new Message(topic, body);
    }

    /** A message on its way into the log. */
    public final class Message {
        private final String topic;
        private final byte[] body;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private int queueId;
        private long bornMillis = 1;
        private long storedMillis = 1;
        private int sysFlag;
        private int tries;
        private long prepared;

        private Message(String topic, String body) {
            this.topic = topic;
            this.body = body.getBytes(StandardCharsets.UTF_8);
        }

        /** In another queue than the first. */
        public Message queue(int id) {
            queueId = id;
            return this;
        }

        /** Sent at a time. */
        public Message born(long millis) {
            bornMillis = millis;
            return this;
        }

        /** Stored at a time. */
        public Message stored(long millis) {
            storedMillis = millis;
            return this;
        }

        /** With a system flag. */
        public Message sysFlag(int flag) {
            sysFlag = flag;
            return this;
        }

        /** Consumed in vain so often. */
        public Message tries(int count) {
            tries = count;
            return this;
        }

        /** Committed, its half message at a position. */
        public Message prepared(long halfPosition) {
            prepared = halfPosition;
            return this;
        }

        /** With a property. */
        public Message with(String name, String value) {
            properties.put(name, value);
            return this;
        }

        /** Waits for a queue of a topic. */
        public Message waitsFor(String realTopic) {
            return with("REAL_TOPIC", realTopic).with("REAL_QID", "0");
        }

        /** Stores it; returns its log position. */
        public long put() {
            byte[] topicBytes = topic.getBytes(StandardCharsets.UTF_8);
            byte[] block = MessageProperties.format(properties);
            ByteBuffer bytes = ByteBuffer.allocate(
                    MessageEncoder.encodedBytes(topicBytes.length, body.length, block.length, false, false));
            MessageHeader header = new MessageHeader(queueId, 0, sysFlag, bornMillis, HOST, HOST, tries, prepared);
            MessageEncoder.encode(bytes, header, topicBytes, ByteBuffer.wrap(body), block);
            long offset = nextOffsets.merge(topic + "/" + queueId, 1L, Long::sum) - 1;
            MessageEncoder.patch(bytes, 0, offset, position, storedMillis);
            bytes.flip();
            long at = position;
            position += bytes.remaining();
            append(bytes, at);
            return at;
        }
    }

    private void append(ByteBuffer bytes, long at) {
        try (FileChannel channel = FileChannel.open(root.resolve(LOG), StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes, at + bytes.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
