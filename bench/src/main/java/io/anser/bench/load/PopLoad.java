package io.anser.bench.load;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.operation.AckMessage;
import io.anser.protocol.operation.PopHandle;
import io.anser.protocol.operation.PopMessage;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Consumers that pop from any queue of a topic and acknowledge each message by itself, as Apache's client does; the tally
 * counts acknowledgements. When a group has had all messages, the next group begins at the front. Headers are JSON.
 *
 * @param topic name of a topic that is filled
 * @param connections how many consumers there are, each with one pop in flight
 * @param most messages of one pop, at most
 * @param messages how many messages the topic has, at the least
 */
public record PopLoad(String topic, int connections, int most, long messages) {
    private static final String GROUP_PREFIX = "bench-popper-";
    private static final long INVISIBLE_MILLIS = 60_000;

    /** Connects the consumers. */
    public LoadLoop connect(InetSocketAddress server, Tally tally, Clock clock) {
        try {
            Selector selector = Selector.open();
            Round round = new Round(messages);
            List<LoadConnection> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                all.add(new Popper(server, selector, this, round, tally, clock));
            }
            return new LoadLoop(selector, all, tally, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PopMessage.Request request(String group, long nowMillis) {
        return new PopMessage.Request(
                group, topic, -1, most, INVISIBLE_MILLIS, 0, nowMillis, PopMessage.INIT_MIN, "TAG", "*", false, "");
    }

    /** Which group pops now, and what is left for it. Owned by the thread of the load. */
    private static final class Round {
        private final long messages;
        private long left;
        private int number;

        Round(long messages) {
            this.messages = messages;
            this.left = messages;
        }

        String group() {
            return GROUP_PREFIX + number;
        }

        void took(int count) {
            left -= count;
            if (left <= 0) {
                left = messages;
                number++;
            }
        }
    }

    /** One connection that pops. The number of a request tells a pop from the acknowledgements. */
    private static final class Popper extends LoadConnection {
        private static final int SUCCESS = 0;
        private static final int POLLING_TIMEOUT = 210;
        private static final int POP = Request.FIRST_OPAQUE;
        private static final int FIRST_ACK = POP + 1;

        /** A pop is sent when no more acknowledgements than these are in flight. */
        private static final int UNACKNOWLEDGED_MAX = 32;
        /** More than there are ever in flight: those, and those of the next pop. */
        private static final int ACK_NUMBERS = 128;
        /** Room for a pop and for the acknowledgements of one. */
        private static final int ROOM_BYTES = 64 << 10;
        /** Before it asks again where it got nothing: somebody else had the queues at that moment. */
        private static final long PAUSE_NANOS = 1_000_000;
        /** The mark of messages that come for the first time. */
        private static final String FIRST_TIME = "0";
        /** Neither server looks at the name in a handle. */
        private static final String BROKER = "broker-a";

        private final PopLoad load;
        private final Round round;
        private final Tally tally;
        private final Clock clock;
        private final HeaderWriter writer = new HeaderWriter();
        private final CommandHeader header = new CommandHeader();
        private final long[] sentAt = new long[ACK_NUMBERS];
        private String group = "";
        private long pausedAt;
        private boolean paused;
        private boolean popping;
        private int acks;
        private int unacknowledged;

        Popper(InetSocketAddress server, Selector selector, PopLoad load, Round round, Tally tally, Clock clock)
                throws IOException {
            super(server, selector);
            this.load = load;
            this.round = round;
            this.tally = tally;
            this.clock = clock;
        }

        @Override
        void request() {
            boolean rests = paused && clock.nanos() - pausedAt < PAUSE_NANOS;
            if (!popping && !rests && unacknowledged <= UNACKNOWLEDGED_MAX && out.remaining() >= ROOM_BYTES) {
                group = round.group();
                put(PopMessage.CODE, load.request(group, clock.wallMillis()), POP);
                paused = false;
                popping = true;
            }
        }

        private void put(int code, FieldSource fields, int opaque) {
            writer.begin(HeaderEncoding.JSON, code, 0, opaque, null);
            fields.writeTo(writer);
            writer.end();
            out.putInt(FrameLimits.HEADER_WORD_BYTES + writer.length());
            out.putInt(FrameLimits.headerWord(HeaderEncoding.JSON, writer.length()));
            out.put(writer.array(), 0, writer.length());
        }

        @Override
        void answered(int opaque, int code, ByteBuffer buffer, int from, int until) {
            if (opaque != POP) {
                unacknowledged--;
                if (code == SUCCESS) {
                    tally.answered(1, clock.nanos() - sentAt[opaque - FIRST_ACK]);
                } else {
                    tally.failed(headerText());
                }
                return;
            }
            popping = false;
            if (code == SUCCESS) {
                decodeHeader(header);
                acknowledge(PopMessage.Response.decode(header));
            } else {
                paused = true;
                pausedAt = clock.nanos();
                if (code != POLLING_TIMEOUT) {
                    tally.failed(headerText());
                }
            }
        }

        private void acknowledge(PopMessage.Response popped) {
            Map<String, Long> starts = new HashMap<>();
            for (String entry : popped.startOffsetInfo().split(";", -1)) {
                int last = entry.lastIndexOf(' ');
                starts.put(entry.substring(0, last), Long.parseLong(entry.substring(last + 1)));
            }
            int count = 0;
            for (String entry : popped.msgOffsetInfo().split(";", -1)) {
                String[] parts = entry.split(" ", -1);
                if (!parts[0].equals(FIRST_TIME)) {
                    tally.failed("a message came again: " + entry);
                    continue;
                }
                int queue = Integer.parseInt(parts[1]);
                long start = starts.getOrDefault(parts[0] + " " + parts[1], 0L);
                for (String offset : parts[2].split(",", -1)) {
                    acknowledge(popped, queue, start, Long.parseLong(offset));
                    count++;
                }
            }
            round.took(count);
        }

        private void acknowledge(PopMessage.Response popped, int queue, long start, long offset) {
            PopHandle handle = new PopHandle(
                    start, popped.popTime(), popped.invisibleTime(), popped.reviveQid(), 0, BROKER, queue, offset);
            int number = acks++ % ACK_NUMBERS;
            sentAt[number] = clock.nanos();
            put(
                    AckMessage.CODE,
                    new AckMessage.Request(group, load.topic(), queue, handle.text(), offset),
                    FIRST_ACK + number);
            unacknowledged++;
        }

        @Override
        long patienceMillis() {
            return 1;
        }

        @Override
        int inFlight() {
            return unacknowledged + (popping ? 1 : 0);
        }
    }
}
