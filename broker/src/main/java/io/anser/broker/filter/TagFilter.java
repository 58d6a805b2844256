package io.anser.broker.filter;

import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A set of tags, or all messages: {@code *} (or nothing) for all, {@code a || c} for these.
 *
 * <p>The queue index holds the {@link String#hashCode} of each message's tags, so most messages are judged without being
 * read; {@link #accepts} then settles a collision on the message itself. Immutable.
 */
public final class TagFilter {
    /** Accepts every message, tagged or not. */
    public static final TagFilter ALL = new TagFilter(new byte[0][], new int[0]);

    /** Most characters of an expression. */
    public static final int MAX_EXPRESSION_CHARS = 4096;

    private static final String TAG = "TAG";
    private static final Pattern SEPARATOR = Pattern.compile("\\|\\|");

    private final byte[][] tags;
    private final int[] hashes;

    private TagFilter(byte[][] tags, int[] hashes) {
        this.tags = tags;
        this.hashes = hashes;
    }

    /**
     * Reads an expression.
     *
     * @param type {@code TAG}, or empty for the same; nothing else is served yet
     * @param expression at most {@value #MAX_EXPRESSION_CHARS} characters; empty means all
     * @throws BadExpressionException if it cannot be understood
     */
    public static TagFilter parse(String type, String expression) {
        if (expression.length() > MAX_EXPRESSION_CHARS) {
            throw new BadExpressionException("filter expression has " + expression.length() + " characters, at most "
                    + MAX_EXPRESSION_CHARS + " are allowed");
        }
        if (!normalType(type).equals(TAG)) {
            throw new BadExpressionException(
                    "expressionType=" + shortened(type) + " is not supported yet: this broker filters by TAG only");
        }
        String text = expression.strip();
        return text.isEmpty() || text.equals("*") ? ALL : ofTags(split(text));
    }

    private static Set<String> split(String text) {
        Set<String> tags = new LinkedHashSet<>();
        for (String part : SEPARATOR.split(text)) {
            String tag = part.strip();
            if (!tag.isEmpty()) {
                tags.add(tag);
            }
        }
        if (tags.isEmpty()) {
            throw new BadExpressionException("filter expression " + shortened(text) + " names no tag");
        }
        return tags;
    }

    private static TagFilter ofTags(Set<String> tags) {
        byte[][] bytes = new byte[tags.size()][];
        int[] hashes = new int[tags.size()];
        int i = 0;
        for (String tag : tags) {
            bytes[i] = tag.getBytes(StandardCharsets.UTF_8);
            hashes[i++] = tag.hashCode();
        }
        return new TagFilter(bytes, hashes);
    }

    /** Returns the expression type that is meant: an absent one is {@code TAG}. */
    static String normalType(String type) {
        return type.isEmpty() ? TAG : type;
    }

    /** Says whether every message is accepted, so that none has to be looked at. */
    public boolean acceptsAll() {
        return tags.length == 0;
    }

    /**
     * Says whether a message may be accepted, judged by the queue index alone.
     *
     * @param tagsHash hash of the message's tags, 0 when it has none
     */
    public boolean mayAccept(int tagsHash) {
        if (tags.length == 0) {
            return true;
        }
        for (int hash : hashes) {
            if (hash == tagsHash) {
                return true;
            }
        }
        return false;
    }

    /** Says whether a message is accepted, judged by the tags it carries; reads them in place. */
    public boolean accepts(MessageView message) {
        if (tags.length == 0) {
            return true;
        }
        long found = message.findProperty(PropertyNames.TAGS);
        if (found == MessageProperties.ABSENT) {
            return false;
        }
        int from = MessageProperties.valueFrom(found);
        int length = MessageProperties.valueUntil(found) - from;
        for (byte[] tag : tags) {
            if (tag.length == length && message.hasBytes(from, tag)) {
                return true;
            }
        }
        return false;
    }

    /** Returns roughly how many bytes of memory this filter holds, for whoever bounds what is kept. */
    public int heldBytes() {
        int held = 0;
        for (byte[] tag : tags) {
            held += 24 + tag.length;
        }
        return held;
    }

    private static String shortened(String text) {
        return text.length() <= 64 ? "'" + text + "'" : "'" + text.substring(0, 64) + "...'";
    }
}
