package io.anser.client;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which messages of a topic a consumer wants, by tag: all of them, or those with one of some tags.
 *
 * <pre>{@code consumer.topic("orders", tag("new").or(tag("paid")))}</pre>
 */
public final class TagFilter {
    private static final TagFilter ALL = new TagFilter(List.of());

    /** Sorted, without duplicates; empty for every message, tagged or not. */
    private final List<String> tags;

    private TagFilter(List<String> tags) {
        this.tags = tags;
    }

    /** Every message. */
    public static TagFilter all() {
        return ALL;
    }

    /**
     * Messages with this tag.
     *
     * @throws IllegalArgumentException if the tag is empty, or holds white space or {@code |}
     */
    public static TagFilter tag(String tag) {
        boolean unfit = tag.isEmpty() || tag.chars().anyMatch(c -> Character.isWhitespace(c) || c == '|');
        if (unfit || tag.equals("*")) {
            throw new IllegalArgumentException("tag '" + tag + "' is empty, '*', or holds white space or '|'");
        }
        return new TagFilter(List.of(tag));
    }

    /** Messages that this filter or the other one wants. */
    public TagFilter or(TagFilter other) {
        if (tags.isEmpty() || other.tags.isEmpty()) {
            return ALL;
        }
        SortedSet<String> both = new TreeSet<>(tags);
        both.addAll(other.tags);
        return new TagFilter(List.copyOf(both));
    }

    /** Whether a message with this tag (empty for none) is wanted. The broker compares only hashes; this is exact. */
    boolean wants(String tag) {
        return tags.isEmpty() || tags.contains(tag);
    }

    /** The expression as it goes over the wire: {@code *} or {@code a || b}. */
    String expression() {
        return tags.isEmpty() ? "*" : String.join(" || ", tags);
    }

    @Override
    public String toString() {
        return expression();
    }
}
