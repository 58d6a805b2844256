package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * One item as the store applied it, in log order.
 *
 * @param unit the number of the unit that the item belongs to
 * @param item the item's number within its unit
 * @param filling how many letters follow, so that items have many sizes
 * @param drops the topic that the unit drops; empty for all others
 * @param queue {@code topic/id}; empty for a state change
 * @param offset queue offset; -1 for a state change
 * @param position log position of the first byte
 * @param storeTimestamp of a message; 0 for a state change
 */
record Applied(
        int unit, int item, int filling, String drops, String queue, long offset, long position, long storeTimestamp) {
    /** How many keys there are. */
    static final int KEYS = 5;

    /** Topics that hold messages of others. */
    static final List<String> LIGHT_TOPICS = List.of("Light0", "Light1");

    private static final int LISTED_EACH = 12;
    private static final String DROP = "drop ";
    private static final String LETTERS = "x".repeat(8192);

    /** The text that an item carries. */
    static String text(int unit, int item, int filling) {
        return unit + "." + item + ":" + LETTERS.substring(0, filling);
    }

    /** The text of the item beside a topic's drop. */
    static String dropText(int unit, int item, String topic) {
        return unit + "." + item + ":" + DROP + topic;
    }

    /** Reads an item's text, every letter of it. */
    static Applied parse(String text, String queue, long offset, long position, long storeTimestamp) {
        int dot = text.indexOf('.');
        int colon = text.indexOf(':', dot);
        assertThat(dot > 0 && colon > 0).as("an item's text: %s", text).isTrue();
        int unit = Integer.parseInt(text, 0, dot, 10);
        int item = Integer.parseInt(text, dot + 1, colon, 10);
        int filling = text.length() - colon - 1;
        String drops = "";
        if (text.startsWith(DROP, colon + 1)) {
            drops = text.substring(colon + 1 + DROP.length());
        } else if (!LETTERS.startsWith(text.substring(colon + 1))) {
            throw new AssertionError("an item's filling changed: " + text);
        }
        return new Applied(unit, item, filling, drops, queue, offset, position, storeTimestamp);
    }

    /** The key of an item that is a message. */
    static String key(int unit, int item) {
        return "key" + (unit + item) % KEYS;
    }

    /** The topics in whose queue 0 the message of a unit is listed too, as its number says; for most units none. */
    static List<String> listedIn(int unit) {
        return switch (unit % LISTED_EACH) {
            case 1 -> List.of(LIGHT_TOPICS.get(0));
            case 2 -> LIGHT_TOPICS;
            default -> List.of();
        };
    }

    boolean isMessage() {
        return offset >= 0;
    }

    /** The topic of a message. */
    String topic() {
        return queue.substring(0, Math.max(0, queue.indexOf('/')));
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(unit);
        out.writeInt(item);
        out.writeInt(filling);
        out.writeUTF(drops);
        out.writeUTF(queue);
        out.writeLong(offset);
        out.writeLong(position);
        out.writeLong(storeTimestamp);
    }

    static Applied read(DataInput in) throws IOException {
        return new Applied(
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readUTF(),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }
}
