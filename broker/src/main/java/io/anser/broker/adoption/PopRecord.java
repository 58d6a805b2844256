package io.anser.broker.adoption;

import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.MalformedJsonException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an Apache broker writes down of pops: one record of what went out, and others of what was acknowledged, as JSON with
 * short names. {@code c} group, {@code t} topic, {@code q} queue, {@code so} start, {@code pt} time of the pop; of a pop
 * {@code it} invisible time, {@code n} how many messages, {@code d} their distances from the start, {@code bm} bits of those
 * that were acknowledged by then; of acknowledgements {@code ao} one offset or {@code aol} several.
 *
 * @param key which pop
 * @param visibleMillis wall time at which what is left is visible again; of a pop
 * @param offsets queue offsets: what went out, rising, or what was acknowledged
 * @param settled bits of those of a pop that were acknowledged by then
 */
record PopRecord(Key key, long visibleMillis, List<Long> offsets, int settled) {
    /** Most messages of a pop, as many as the bits of an int. */
    static final int MESSAGES_MAX = 32;

    private static final int BYTES_MAX = 1 << 16;

    /**
     * Names a pop.
     *
     * @param start the offset that handles name
     * @param popMillis wall time of the pop
     */
    record Key(String group, String topic, int queueId, long start, long popMillis) {}

    /** Copies the list. */
    PopRecord {
        offsets = List.copyOf(offsets);
    }

    /** Whether every offset follows the one before. */
    private boolean isRising() {
        long last = key.start() - 1;
        for (long offset : offsets) {
            if (offset <= last) {
                return false;
            }
            last = offset;
        }
        return true;
    }

    /**
     * Reads the record of a pop.
     *
     * @throws MalformedJsonException if it is not JSON, or says what cannot be
     */
    static PopRecord pop(byte[] json) {
        Fields fields = Fields.read(json);
        PopRecord record =
                new PopRecord(fields.key(), fields.popMillis + fields.invisibleMillis, fields.popped(), fields.settled);
        boolean possible = fields.count >= 0
                && fields.count <= MESSAGES_MAX
                && fields.invisibleMillis >= 0
                && fields.popMillis >= 0
                && record.offsets.size() == fields.count
                && record.isRising();
        if (!possible) {
            throw new MalformedJsonException("not the record of a pop: start=" + fields.start + " messages="
                    + fields.count + " offsets=" + record.offsets.size());
        }
        return record;
    }

    /**
     * Reads the record of acknowledgements.
     *
     * @throws MalformedJsonException if it is not JSON, or says what cannot be
     */
    static PopRecord acks(byte[] json) {
        Fields fields = Fields.read(json);
        return new PopRecord(fields.key(), 0, fields.acknowledged, 0);
    }

    /** The members of either record. */
    private static final class Fields {
        private String group = "";
        private String topic = "";
        private int queueId = -1;
        private long start = -1;
        private long popMillis = -1;
        private long invisibleMillis;
        private int count;
        private int settled;
        private List<Long> distances = List.of();
        private final List<Long> acknowledged = new ArrayList<>();

        static Fields read(byte[] json) {
            return JsonReader.parse(json, BYTES_MAX, in -> {
                Fields fields = new Fields();
                if (in.beginObject()) {
                    while (in.nextMember()) {
                        fields.member(in);
                    }
                }
                return fields;
            });
        }

        private void member(JsonReader in) {
            switch (in.name()) {
                case "c" -> group = in.string();
                case "t" -> topic = in.string();
                case "q" -> queueId = in.integer();
                case "so" -> start = in.number();
                case "pt" -> popMillis = in.number();
                case "it" -> invisibleMillis = in.number();
                case "n" -> count = in.integer();
                case "bm" -> settled = in.integer();
                case "d" -> distances = in.list(JsonReader::number);
                case "ao" -> acknowledged.add(in.number());
                case "aol" -> acknowledged.addAll(in.list(JsonReader::number));
                default -> in.skip();
            }
        }

        Key key() {
            if (group.isEmpty() || topic.isEmpty() || queueId < 0 || start < 0) {
                throw new MalformedJsonException(
                        "not a record of pops: c=" + group + " t=" + topic + " q=" + queueId + " so=" + start);
            }
            return new Key(group, topic, queueId, start, popMillis);
        }

        /** Older records do not list the messages: they follow one another. */
        private List<Long> popped() {
            List<Long> offsets = new ArrayList<>();
            for (int i = 0; i < count && i < MESSAGES_MAX && distances.isEmpty(); i++) {
                offsets.add(start + i);
            }
            distances.forEach(distance -> offsets.add(start + distance));
            return offsets;
        }
    }
}
