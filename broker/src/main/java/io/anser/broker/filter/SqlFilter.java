package io.anser.broker.filter;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;

/**
 * An SQL92 expression over the properties of messages: those of which it is true are accepted; where it is false, unknown
 * or cannot be evaluated, they are not. Immutable, any thread; evaluation works on the message's bytes.
 */
final class SqlFilter implements MessageFilter {
    /** One for each thread that filters, so that no message needs a new one. */
    private static final FastThreadLocal<PropertyRow> ROWS = new FastThreadLocal<>() {
        @Override
        protected PropertyRow initialValue() {
            return new PropertyRow();
        }
    };

    /** Memory that one character of an expression makes at the most: estimated for the shortest texts in an IN. */
    private static final int BYTES_PER_CHARACTER = 64;

    private final String text;
    private final Condition condition;
    private final byte[][] names;
    private final TagHashes tags;

    private SqlFilter(String text, SqlParser.Parsed parsed) {
        this.text = text;
        this.condition = parsed.condition();
        this.names = parsed.properties().stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.tags = TagHashes.of(parsed.condition(), parsed.properties().indexOf(PropertyNames.TAGS));
    }

    /**
     * Compiles an expression.
     *
     * @throws BadExpressionException if it is none
     */
    static SqlFilter parse(String text) {
        return new SqlFilter(text, SqlParser.parse(text));
    }

    @Override
    public boolean acceptsAll() {
        return false;
    }

    @Override
    public TagHashes tags() {
        return tags;
    }

    @Override
    public boolean accepts(MessageView message) {
        PropertyRow row = ROWS.get();
        row.load(message, names);
        return condition.test(row) == Truth.TRUE;
    }

    @Override
    public int walks() {
        // Each property is walked over once to be found, and once by each test of it, of which a text has fewer than
        // this.
        return 1 + text.length() / 8;
    }

    @Override
    public int heldBytes() {
        return text.length() * BYTES_PER_CHARACTER;
    }
}
