package io.anser.broker.metadata;

import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A state change in words, for people who look into a log. Names and values come from clients: who prints them to a terminal
 * makes them harmless first.
 *
 * @param name what happened, such as {@code offset committed}
 * @param fields {@code name=value}, with a blank in between
 */
public record ChangeText(String name, String fields) {
    private static final int HEX_BYTES_MAX = 64;

    /**
     * Puts a change of the broker's, or one of the store's own, into words. One that this version does not know stays a
     * number with its first bytes.
     *
     * @param payload from position to limit; consumed
     */
    public static ChangeText of(short kind, ByteBuffer payload) {
        if (kind == TopicDrop.KIND) {
            return new ChangeText("topic dropped", "topic=" + TopicDrop.topic(payload));
        }
        if (kind == StateChange.CUTS_MOVED) {
            return new ChangeText(
                    "bounds of expiry moved",
                    "beforePosition=" + payload.getLong() + " topicsWithTheirOwnTime=" + payload.getInt());
        }
        if (kind == StateChange.PREFIX_FREED) {
            return new ChangeText("beginning of the log let go", "beforePosition=" + payload.getLong());
        }
        if (kind == FurtherQueues.KIND) {
            return new ChangeText(
                    "next message listed further",
                    FurtherQueues.read(payload).stream()
                            .map(place -> place.topic() + "=" + place.offset())
                            .collect(Collectors.joining(" ")));
        }
        ByteBuffer whole = payload.duplicate();
        try {
            return Change.read(kind, payload).text();
        } catch (UnknownChangeException e) {
            byte[] bytes = new byte[Math.min(HEX_BYTES_MAX, whole.remaining())];
            whole.get(bytes);
            return new ChangeText(
                    String.format(Locale.ROOT, "state change 0x%04x", kind),
                    HexFormat.of().formatHex(bytes) + (whole.hasRemaining() ? "..." : ""));
        }
    }

    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }
}
