package io.anser.broker.filter;

import java.util.List;

/** A compiled part of an SQL92 expression that is true or false of a message. Immutable, any thread; allocates nothing. */
@FunctionalInterface
interface Condition {
    /** Says what holds of the message in the row. */
    Truth test(PropertyRow row);

    /** The condition that holds always, or never. */
    static Condition constant(Truth value) {
        return row -> value;
    }

    /** True where the other one is false. */
    static Condition not(Condition condition) {
        return row -> condition.test(row).not();
    }

    /** Whether a property is there; never unknown. */
    static Condition missing(int slot) {
        return row -> Truth.of(!row.has(slot));
    }

    /** Whether a condition is unknown. */
    static Condition unknown(Condition condition) {
        return row -> {
            Truth value = condition.test(row);
            return value == Truth.FAILED ? value : Truth.of(value == Truth.UNKNOWN);
        };
    }

    /** A property alone is never true: no text is. */
    static Condition bare(int slot) {
        return row -> row.has(slot) ? Truth.FALSE : Truth.UNKNOWN;
    }

    /** The text of a property read as {@code true} or, whatever else it is, {@code false}. */
    static Condition asBoolean(int slot) {
        return row -> row.has(slot) ? Truth.of(row.isTrue(slot)) : Truth.UNKNOWN;
    }

    /**
     * All of several conditions, in their order; one that fails ends it, but for one that is false before.
     *
     * @param parts at least one
     */
    record And(List<Condition> parts) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            Truth result = Truth.TRUE;
            // By index: an iterator would be an object for each message.
            for (int i = 0; i < parts.size(); i++) {
                Truth part = parts.get(i).test(row);
                if (part == Truth.FALSE || part == Truth.FAILED) {
                    return part;
                }
                result = part == Truth.UNKNOWN ? part : result;
            }
            return result;
        }
    }

    /**
     * One of several conditions, in their order; one that fails ends it, but for one that is true before.
     *
     * @param parts at least one
     */
    record Or(List<Condition> parts) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            Truth result = Truth.FALSE;
            for (int i = 0; i < parts.size(); i++) {
                Truth part = parts.get(i).test(row);
                if (part == Truth.TRUE || part == Truth.FAILED) {
                    return part;
                }
                result = part == Truth.UNKNOWN ? part : result;
            }
            return result;
        }
    }

    /**
     * Whether a property has one of some texts.
     *
     * @param texts at least one
     * @param missing the value where the property is missing
     */
    record OneOf(int slot, List<TextPattern> texts, Truth missing) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            if (!row.has(slot)) {
                return missing;
            }
            for (int i = 0; i < texts.size(); i++) {
                if (texts.get(i).isAll(row, slot)) {
                    return Truth.TRUE;
                }
            }
            return Truth.FALSE;
        }
    }
}
