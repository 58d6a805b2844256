package io.anser.broker.filter;

/**
 * Whether a property contains a text, begins or ends with it. As Apache RocketMQ has it, also with NOT: false where the
 * property is missing and where the text is empty.
 */
final class TextTest {
    private TextTest() {}

    /**
     * Compiles a test of a property.
     *
     * @param kind CONTAINS, STARTSWITH or ENDSWITH
     */
    static Condition of(int slot, SqlToken kind, String text, boolean not) {
        if (text.isEmpty()) {
            return Condition.constant(Truth.FALSE);
        }
        TextPattern pattern = new TextPattern(text);
        return switch (kind) {
            case STARTSWITH -> row -> Truth.of(row.has(slot) && pattern.isStart(row, slot) != not);
            case ENDSWITH -> row -> Truth.of(row.has(slot) && pattern.isEnd(row, slot) != not);
            default -> row -> Truth.of(row.has(slot) && pattern.isWithin(row, slot) != not);
        };
    }

    /** Compiles a test of a fixed text. */
    static Condition fixed(String value, SqlToken kind, String text, boolean not) {
        boolean found = switch (kind) {
            case STARTSWITH -> value.startsWith(text);
            case ENDSWITH -> value.endsWith(text);
            default -> value.contains(text);
        };
        return Condition.constant(Truth.of(!text.isEmpty() && found != not));
    }
}
