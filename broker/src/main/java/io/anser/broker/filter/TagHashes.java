package io.anser.broker.filter;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The tags of which a message must have one, as the queue index knows them: messages with other tags are never read.
 * Immutable; any thread.
 *
 * @param any whether any tag will do, and none, too
 * @param hashes {@link String#hashCode} of the tags, unless any will do; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TagHashes(boolean any, int[] hashes) {
    /** Any tag will do. */
    static final TagHashes ANY = new TagHashes(true, new int[0]);

    /** No tag will do. */
    static final TagHashes NONE = new TagHashes(false, new int[0]);

    /**
     * Finds what an expression demands of the tags, where that is one comparison among others that must all hold.
     *
     * @param tagsSlot slot of the tags, negative if the expression does not look at them
     */
    static TagHashes of(Condition condition, int tagsSlot) {
        if (condition instanceof Condition.And all) {
            return all.parts().stream()
                    .flatMap(part -> demanded(part, tagsSlot).stream())
                    .findFirst()
                    .orElse(ANY);
        }
        return demanded(condition, tagsSlot).orElse(ANY);
    }

    private static Optional<TagHashes> demanded(Condition condition, int tagsSlot) {
        return condition instanceof Condition.OneOf oneOf && oneOf.slot() == tagsSlot
                ? Optional.of(new TagHashes(
                        false,
                        oneOf.texts().stream()
                                .mapToInt(text -> text.text().hashCode())
                                .toArray()))
                : Optional.empty();
    }

    /** Returns these and others. */
    public TagHashes or(TagHashes others) {
        if (any || others.hashes.length == 0) {
            return others.any ? others : this;
        }
        return new TagHashes(
                false,
                IntStream.concat(IntStream.of(hashes), IntStream.of(others.hashes))
                        .distinct()
                        .toArray());
    }

    /** Says whether a tag is among them. */
    public boolean contain(int tagsHash) {
        if (any) {
            return true;
        }
        for (int hash : hashes) {
            if (hash == tagsHash) {
                return true;
            }
        }
        return false;
    }
}
