package io.anser.broker.filter;

import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A set of tags, or all messages: {@code *} (or nothing) for all, {@code a || c} for these.
 *
 * <p>The queue index holds the {@link String#hashCode} of each message's tags, so most messages are judged without being
 * read; {@link #accepts} then settles a collision on the message itself. Immutable.
 */
public final class TagFilter implements MessageFilter {
    /** Accepts every message, tagged or not. */
    public static final TagFilter ALL = new TagFilter(new byte[0][], TagHashes.ANY);

    private static final Pattern SEPARATOR = Pattern.compile("\\|\\|");

    private final byte[][] tags;
    private final TagHashes hashes;

    private TagFilter(byte[][] tags, TagHashes hashes) {
        this.tags = tags;
        this.hashes = hashes;
    }

    /**
     * Reads an expression.
     *
     * @param expression empty means all
     * @throws BadExpressionException if it cannot be understood
     */
    static TagFilter parse(String expression) {
        String text = expression.strip();
        return text.isEmpty() || text.equals("*") ? ALL : ofTags(split(text));
    }

    /** The one way to write what an expression says: {@code a || c} in the order of the tags. */
    static String normal(String expression) {
        String text = expression.strip();
        if (text.isEmpty()) {
            return "*";
        }
        return String.join(" || ", new TreeSet<>(tagsIn(text)));
    }

    private static Set<String> split(String text) {
        Set<String> tags = tagsIn(text);
        if (tags.isEmpty()) {
            throw new BadExpressionException(
                    "filter expression '" + BadExpressionException.shortened(text) + "' names no tag");
        }
        return tags;
    }

    private static Set<String> tagsIn(String text) {
        Set<String> tags = new LinkedHashSet<>();
        for (String part : SEPARATOR.split(text)) {
            String tag = part.strip();
            if (!tag.isEmpty()) {
                tags.add(tag);
            }
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
        return new TagFilter(bytes, new TagHashes(false, hashes));
    }

    @Override
    public boolean acceptsAll() {
        return tags.length == 0;
    }

    @Override
    public TagHashes tags() {
        return hashes;
    }

    @Override
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

    @Override
    public int walks() {
        return 1;
    }

    @Override
    public int heldBytes() {
        int held = 0;
        for (byte[] tag : tags) {
            held += 24 + tag.length;
        }
        return held;
    }
}
