package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Base64;

/**
 * What a sender keeps of a delayed message in order to take it back: URL-safe Base64 of {@code v1 topic broker dueMillis
 * uniqueId position}, separated by spaces. Clients read the first five; other brokers write no more than those.
 *
 * @param topic the message's topic
 * @param broker name of the broker that has it
 * @param dueMillis wall time at which it is delivered
 * @param uniqueId the sender's id of the message
 * @param position log position of the waiting message when it was stored; {@link #UNKNOWN} where the handle does not say
 */
public record RecallHandle(String topic, String broker, long dueMillis, String uniqueId, long position) {
    /** A position that is not told. */
    public static final long UNKNOWN = -1;

    private static final String VERSION = "v1";
    private static final int PARTS = 5;
    private static final int MAX_CHARS = 4096;

    /** Returns the handle of the same message at a position. */
    public RecallHandle at(long storedPosition) {
        return new RecallHandle(topic, broker, dueMillis, uniqueId, storedPosition);
    }

    /** Returns the text that clients get. */
    public String encode() {
        String text =
                String.join(" ", VERSION, topic, broker, Long.toString(dueMillis), uniqueId, Long.toString(position));
        return Base64.getUrlEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /**
     * Reads a text that a client brings.
     *
     * @throws MalformedMessageException if it is no handle
     */
    public static RecallHandle decode(String text) {
        if (text.length() > MAX_CHARS) {
            throw new MalformedMessageException("recallHandle length=" + text.length() + " limit=" + MAX_CHARS);
        }
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", -1);
            if (parts.length < PARTS || !parts[0].equals(VERSION)) {
                throw new MalformedMessageException("recallHandle is not one of version 1");
            }
            // An id may have spaces in it, and only this broker's handles have anything behind the id.
            int end = Math.max(PARTS, parts.length - 1);
            String uniqueId = String.join(" ", Arrays.asList(parts).subList(PARTS - 1, end));
            long position = parts.length > PARTS ? Long.parseLong(parts[end]) : UNKNOWN;
            return new RecallHandle(parts[1], parts[2], Long.parseLong(parts[3]), uniqueId, position);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("recallHandle has a part that is not a number");
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("recallHandle is not Base64");
        }
    }
}
