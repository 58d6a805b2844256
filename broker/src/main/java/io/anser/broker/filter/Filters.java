package io.anser.broker.filter;

import io.anser.protocol.body.SubscriptionData;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes filters of the expressions that clients send, and keeps compiled ones: every pull may bring its expression along.
 * Any thread.
 */
public final class Filters {
    /** Accepts nothing. */
    public static final MessageFilter NONE = new AnyFilter(List.of());

    /** Most characters of an expression. */
    public static final int MAX_EXPRESSION_CHARS = 4096;

    /** Most memory of the filters that are kept, in bytes. */
    static final int KEPT_BYTES_MAX = 8 << 20;

    private final ConcurrentHashMap<String, SqlFilter> kept = new ConcurrentHashMap<>();
    private final AtomicInteger keptBytes = new AtomicInteger();

    /** Keeps nothing yet. */
    public Filters() {}

    /**
     * Returns the filter that an expression describes.
     *
     * @param type {@code TAG}, {@code SQL92}, or empty for {@code TAG}
     * @param expression at most {@value #MAX_EXPRESSION_CHARS} characters
     * @throws BadExpressionException if it cannot be understood
     */
    public MessageFilter of(String type, String expression) {
        if (expression.length() > MAX_EXPRESSION_CHARS) {
            throw new BadExpressionException(
                    "subscription length=" + expression.length() + " limit=" + MAX_EXPRESSION_CHARS);
        }
        return switch (normalType(type)) {
            case SubscriptionData.TAG -> TagFilter.parse(expression);
            case SubscriptionData.SQL92 -> sql(expression);
            default ->
                throw new BadExpressionException("expressionType='" + BadExpressionException.shortened(type)
                        + "' is unknown: there are TAG and SQL92");
        };
    }

    /** Returns the filter of a subscription, see {@link #of(String, String)}. */
    public MessageFilter of(Subscription subscription) {
        return of(subscription.expressionType(), subscription.expression());
    }

    /** Returns the filter that accepts what one of the subscriptions wants; none of them: nothing. */
    public MessageFilter anyOf(List<Subscription> subscriptions) {
        return subscriptions.isEmpty()
                ? NONE
                : new AnyFilter(subscriptions.stream().map(this::of).toList());
    }

    /** Returns the expression type that is meant: an absent one is {@code TAG}. */
    static String normalType(String type) {
        return type.isEmpty() ? SubscriptionData.TAG : type;
    }

    private MessageFilter sql(String expression) {
        SqlFilter known = kept.get(expression);
        if (known != null) {
            return known;
        }
        SqlFilter filter = SqlFilter.parse(expression);
        if (keptBytes.addAndGet(filter.heldBytes()) > KEPT_BYTES_MAX) {
            // What is still in use is compiled again when it is next asked for.
            kept.clear();
            keptBytes.set(filter.heldBytes());
        }
        kept.put(expression, filter);
        return filter;
    }

    /** Returns how many filters are kept. */
    int kept() {
        return kept.size();
    }
}
