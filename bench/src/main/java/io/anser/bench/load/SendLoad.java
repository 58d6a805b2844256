package io.anser.bench.load;

import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Producers: each connection keeps so many sends in flight. Every message has a unique key, a tag and a body that does not
 * change but for the time of a single send in front; topics and queues take turns.
 *
 * @param topics names of topics that exist
 * @param queues how many queues each of them has
 * @param connections how many producers there are
 * @param inFlight sends that each of them keeps unanswered
 * @param batch messages of one send; more than 1 uses the operation for batches
 * @param bodyBytes bytes of each body
 * @param encoding of the headers
 * @param perSecond sends of each connection; 0 for as many as the answers allow
 * @param rareEvery one in so many messages of a batch has the tag {@value #RARE_TAG} and a property that {@value #RARE_SQL}
 *     wants, the others have others; 0 for none
 * @param due when all messages are to be delivered; empty: at once
 */
public record SendLoad(
        List<String> topics,
        int queues,
        int connections,
        int inFlight,
        int batch,
        int bodyBytes,
        HeaderEncoding encoding,
        int perSecond,
        int rareEvery,
        Optional<Due> due) {
    /**
     * A time at which so many messages are to be delivered; the time in front of a body is this one then.
     *
     * @param wallMillis the time for the server
     * @param nanos the same time by the clock of the load
     * @param messages how many each producer sends
     */
    public record Due(long wallMillis, long nanos, int messages) {}

    /** Tag of the rare messages. */
    public static final String RARE_TAG = "TagB";
    /** Expression that wants the rare messages. */
    public static final String RARE_SQL = "weight >= 1000";

    private static final String WEIGHT = "weight";
    private static final int RARE_WEIGHT = 1000;

    private static final String GROUP = "bench-producer";
    private static final String KEY_PREFIX = "7F000001123418B4AAC20000";
    private static final String KEY = KEY_PREFIX + "00000000";
    private static final int BATCH_MESSAGE_BYTES = 22;
    private static final int PROPERTIES_BYTES_MAX = 256;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** How often a producer with a fixed rate looks whether a send is due. */
    private static final long PACE_MILLIS = 1;

    private static final byte[] WAIT = MessageProperties.with(new byte[0], PropertyNames.WAIT, "true");

    /** Producers of messages that are all alike. */
    public SendLoad(
            List<String> topics,
            int queues,
            int connections,
            int inFlight,
            int batch,
            int bodyBytes,
            HeaderEncoding encoding,
            int perSecond) {
        this(topics, queues, connections, inFlight, batch, bodyBytes, encoding, perSecond, 0, Optional.empty());
    }

    /** The same producers, of single messages that are delivered later. */
    public SendLoad delayed(Due until) {
        return new SendLoad(
                topics,
                queues,
                connections,
                inFlight,
                batch,
                bodyBytes,
                encoding,
                perSecond,
                rareEvery,
                Optional.of(until));
    }

    /** Connects the producers. */
    public LoadLoop connect(InetSocketAddress server, Tally tally, Clock clock) {
        try {
            Selector selector = Selector.open();
            return new LoadLoop(selector, producers(server, selector, tally, clock), tally, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<LoadConnection> producers(InetSocketAddress server, Selector selector, Tally tally, Clock clock)
            throws IOException {
        Sends sends = sends();
        List<LoadConnection> list = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            list.add(new Producer(server, selector, this, sends, tally, clock));
        }
        return list;
    }

    private Sends sends() {
        byte[] body = new byte[bodyBytes];
        Arrays.fill(body, (byte) 'x');
        byte[] properties = properties("TagA");
        byte[] payload = batch == 1 ? body : batchOf(body);
        byte[] inHeader = batch == 1 ? properties : WAIT;
        Request[] requests = new Request[topics.size() * queues];
        for (int queue = 0; queue < queues; queue++) {
            for (int topic = 0; topic < topics.size(); topic++) {
                requests[queue * topics.size() + topic] = request(topics.get(topic), queue, inHeader, payload.length);
            }
        }
        return new Sends(requests, payload, keysIn(payload));
    }

    private byte[] properties(String tag) {
        byte[] plain = MessageProperties.with(
                MessageProperties.with(WAIT, PropertyNames.UNIQ_KEY, KEY), PropertyNames.TAGS, tag);
        return due.map(until -> MessageProperties.with(
                        plain, PropertyNames.TIMER_DELIVER_MS, Long.toString(until.wallMillis())))
                .orElse(plain);
    }

    /** The properties of a message by its place in a batch. */
    private byte[] propertiesAt(int place) {
        if (rareEvery == 0) {
            return properties("TagA");
        }
        boolean rare = place % rareEvery == 0;
        int weight = rare ? RARE_WEIGHT : place % RARE_WEIGHT;
        return MessageProperties.with(properties(rare ? RARE_TAG : "TagA"), WEIGHT, Integer.toString(weight));
    }

    private byte[] batchOf(byte[] body) {
        ByteBuffer whole = ByteBuffer.allocate(batch * (BATCH_MESSAGE_BYTES + body.length + PROPERTIES_BYTES_MAX));
        for (int i = 0; i < batch; i++) {
            byte[] properties = propertiesAt(i);
            whole.putInt(BATCH_MESSAGE_BYTES + body.length + properties.length);
            whole.putInt(0).putInt(0).putInt(0);
            whole.putInt(body.length)
                    .put(body)
                    .putShort((short) properties.length)
                    .put(properties);
        }
        return Arrays.copyOf(whole.array(), whole.position());
    }

    private Request request(String topic, int queue, byte[] properties, int payloadBytes) {
        SendMessage.Request fields = new SendMessage.Request(
                GROUP,
                topic,
                "TBW102",
                queues,
                queue,
                0,
                Clock.system().wallMillis(),
                0,
                properties,
                0,
                false,
                batch > 1,
                16);
        int code = batch > 1 ? SendBatchMessage.CODE : SendMessageV2.CODE;
        return Request.encode(code, encoding, new SendMessageV2.Request(fields), payloadBytes);
    }

    /** Where the digits of the keys are that make each message's different. */
    private static int[] keysIn(byte[] payload) {
        byte[] sought = Bytes.ascii(KEY_PREFIX);
        List<Integer> found = new ArrayList<>();
        int from = 0;
        while (from < payload.length) {
            byte[] rest = Arrays.copyOfRange(payload, from, payload.length);
            int at = Bytes.find(rest, rest.length, sought);
            if (at < 0) {
                break;
            }
            from += at + sought.length;
            found.add(from);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The encoded sends, which the producers use in turn. */
    private static final class Sends {
        private final Request[] requests;
        private final int[] keyInHeader;
        private final byte[] payload;
        private final int[] keysInPayload;
        private final int largest;
        private int turn;
        private int key;

        Sends(Request[] requests, byte[] payload, int[] keysInPayload) {
            this.requests = requests;
            this.payload = payload;
            this.keysInPayload = keysInPayload;
            this.keyInHeader = new int[requests.length];
            int most = 0;
            for (int i = 0; i < requests.length; i++) {
                int at = requests[i].indexOf(KEY_PREFIX);
                keyInHeader[i] = at < 0 ? -1 : at + KEY_PREFIX.length();
                most = Math.max(most, requests[i].length());
            }
            this.largest = most + payload.length;
        }

        void put(ByteBuffer out, int opaque, long nanos) {
            int from = out.position();
            requests[turn].putTo(out, opaque);
            if (keyInHeader[turn] >= 0) {
                Bytes.putHex(out, from + keyInHeader[turn], key++);
            }
            int body = out.position();
            out.put(payload);
            if (keysInPayload.length == 0) {
                out.putLong(body, nanos); // not a batch: the body is the message's
            }
            for (int at : keysInPayload) {
                Bytes.putHex(out, body + at, key++);
            }
            turn = turn + 1 == requests.length ? 0 : turn + 1;
        }
    }

    /** One connection that sends. */
    private static final class Producer extends LoadConnection {
        private final int window;
        private final int batch;
        private final Sends sends;
        private final Tally tally;
        private final Clock clock;
        private final long[] sentAt;
        private final int perSecond;
        private final long startedAt;
        private final Optional<Due> due;
        private final int most;
        private int sent;
        private int inFlight;

        Producer(InetSocketAddress server, Selector selector, SendLoad load, Sends sends, Tally tally, Clock clock)
                throws IOException {
            super(server, selector);
            this.window = load.inFlight();
            this.batch = load.batch();
            this.sends = sends;
            this.tally = tally;
            this.clock = clock;
            this.perSecond = load.perSecond();
            this.startedAt = clock.nanos();
            this.due = load.due();
            this.most = due.map(Due::messages).orElse(Integer.MAX_VALUE);
            // A server may answer out of order; twice the window leaves room for that.
            this.sentAt = new long[2 * Integer.highestOneBit(2 * window - 1)];
        }

        @Override
        void request() {
            while (inFlight < window && sent < most && out.remaining() >= sends.largest && isDue()) {
                long now = clock.nanos();
                sentAt[sent & sentAt.length - 1] = now;
                sends.put(
                        out,
                        Request.FIRST_OPAQUE + sent,
                        due.map(SendLoad.Due::nanos).orElse(now));
                sent++;
                inFlight++;
            }
        }

        private boolean isDue() {
            return perSecond == 0 || sent < (clock.nanos() - startedAt) * perSecond / NANOS_PER_SECOND;
        }

        @Override
        long patienceMillis() {
            return perSecond == 0 ? super.patienceMillis() : PACE_MILLIS;
        }

        @Override
        void answered(int opaque, int code, ByteBuffer buffer, int from, int until) {
            inFlight--;
            if (code == 0) {
                tally.answered(batch, clock.nanos() - sentAt[opaque - Request.FIRST_OPAQUE & sentAt.length - 1]);
            } else {
                tally.failed(headerText());
            }
        }

        @Override
        int inFlight() {
            return inFlight;
        }
    }
}
