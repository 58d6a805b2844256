package io.anser.bench.load;

import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.operation.PullMessage;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.List;

/**
 * A consumer that reads the queues of a topic with one pull in flight for each queue: from front to back, over and over, or
 * at the tail, where its pulls wait for messages. Headers are JSON. Where a filter drops messages, those count too that it
 * drops: the tally tells how fast messages are gone through.
 *
 * @param group name of the consumer's group
 * @param topic name of a topic that is filled
 * @param queues how many queues it has
 * @param most messages of one pull, at most
 * @param from offset of each queue that counts as its front
 * @param tail whether it reads at the tail messages of {@link SendLoad}, which hold the time of their send
 * @param filterType type of the filter expression
 * @param filter which messages are wanted
 */
public record PullLoad(
        String group, String topic, int queues, int most, long from, boolean tail, String filterType, String filter) {
    private static final int SUSPEND_FLAG = 2;
    private static final int SUBSCRIPTION_IN_HEADER = 4;
    private static final long SUSPEND_MILLIS = 15_000;

    /** Has as many digits as fit any offset; the digits are written over. */
    private static final long PLACEHOLDER = 4_000_000_000_000_001L;

    /** A consumer that wants every message. */
    public PullLoad(String group, String topic, int queues, int most, long from, boolean tail) {
        this(group, topic, queues, most, from, tail, "TAG", "*");
    }

    /** The same consumer with a filter. */
    public PullLoad filtered(String type, String expression) {
        return new PullLoad(group, topic, queues, most, from, tail, type, expression);
    }

    /** Connects the consumer. */
    public LoadLoop connect(InetSocketAddress server, Tally tally, Clock clock) {
        try {
            Selector selector = Selector.open();
            return new LoadLoop(selector, List.of(reader(server, selector, tally, clock)), tally, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LoadConnection reader(InetSocketAddress server, Selector selector, Tally tally, Clock clock) throws IOException {
        return new Reader(server, selector, this, tally, clock);
    }

    private Request request(int queue) {
        PullMessage.Request fields = new PullMessage.Request(
                group,
                topic,
                queue,
                PLACEHOLDER,
                most,
                tail ? SUBSCRIPTION_IN_HEADER | SUSPEND_FLAG : SUBSCRIPTION_IN_HEADER,
                0,
                SUSPEND_MILLIS,
                filter,
                1,
                filterType,
                Integer.MAX_VALUE);
        return Request.encode(PullMessage.CODE, HeaderEncoding.JSON, fields, 0);
    }

    /** The connection that pulls. The number of a request names the queue. */
    private static final class Reader extends LoadConnection {
        private static final int FOUND = 0;
        private static final int NOT_FOUND = 19;
        private static final int RETRY_AT_ONCE = 20;
        private static final int OFFSET_ILLEGAL = 21;
        private static final int DIGITS = 16;
        private static final byte[] NEXT = Bytes.ascii("\"nextBeginOffset\":");

        /** Where the length of the body is in a stored message whose addresses have four bytes. */
        private static final int BODY_LENGTH_AT = 84;

        private final long front;
        private final boolean tail;
        private final Tally tally;
        private final Clock clock;
        private final Request[] requests;
        private final int[] offsetAt;
        private final long[] offsets;
        private final long[] sentAt;
        private final boolean[] waiting;
        private int inFlight;

        Reader(InetSocketAddress server, Selector selector, PullLoad load, Tally tally, Clock clock)
                throws IOException {
            super(server, selector);
            this.front = load.from();
            this.tail = load.tail();
            this.tally = tally;
            this.clock = clock;
            int queues = load.queues();
            requests = new Request[queues];
            offsetAt = new int[queues];
            offsets = new long[queues];
            sentAt = new long[queues];
            waiting = new boolean[queues];
            for (int queue = 0; queue < queues; queue++) {
                requests[queue] = load.request(queue);
                offsetAt[queue] = requests[queue].indexOf(Long.toString(PLACEHOLDER));
                offsets[queue] = tail ? PLACEHOLDER : front; // beyond the end: the answer tells where that is
            }
        }

        @Override
        void request() {
            for (int queue = 0; queue < requests.length; queue++) {
                if (!waiting[queue] && out.remaining() >= requests[queue].length()) {
                    int from = out.position();
                    requests[queue].putTo(out, Request.FIRST_OPAQUE + queue);
                    Bytes.putDecimal(out, from + offsetAt[queue], DIGITS, offsets[queue]);
                    sentAt[queue] = clock.nanos();
                    waiting[queue] = true;
                    inFlight++;
                }
            }
        }

        @Override
        void answered(int opaque, int code, ByteBuffer buffer, int from, int until) {
            int queue = opaque - Request.FIRST_OPAQUE;
            waiting[queue] = false;
            inFlight--;
            if (code == FOUND || code == RETRY_AT_ONCE) {
                long next = jsonNumber(NEXT);
                if (tail) {
                    delivered(buffer, from, until);
                } else {
                    tally.answered(next - offsets[queue], clock.nanos() - sentAt[queue]);
                }
                offsets[queue] = next;
            } else if (code == NOT_FOUND || code == OFFSET_ILLEGAL) {
                offsets[queue] = tail ? jsonNumber(NEXT) : front; // the end: again from the front
            } else {
                tally.failed(headerText());
            }
        }

        private void delivered(ByteBuffer buffer, int from, int until) {
            long now = clock.nanos();
            for (int at = from; at < until; at += buffer.getInt(at)) {
                tally.delivered(now - buffer.getLong(at + BODY_LENGTH_AT + Integer.BYTES));
            }
        }

        /** A pull that waits at the tail owes no answer. */
        @Override
        int inFlight() {
            return tail ? 0 : inFlight;
        }
    }
}
