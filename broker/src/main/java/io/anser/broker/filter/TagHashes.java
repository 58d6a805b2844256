package io.anser.broker.filter;

import java.util.Optional;

/**
 * The tags without which an expression cannot be true, as the queue index knows them: most messages with other tags are
 * then never read. Immutable.
 *
 * @param hashes of the tags; empty: any tag will do
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TagHashes(int[] hashes) {
    private static final TagHashes ANY = new TagHashes(new int[0]);

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
                ? Optional.of(new TagHashes(oneOf.texts().stream()
                        .mapToInt(text -> text.text().hashCode())
                        .toArray()))
                : Optional.empty();
    }

    boolean mayContain(int tagsHash) {
        if (hashes.length == 0) {
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
