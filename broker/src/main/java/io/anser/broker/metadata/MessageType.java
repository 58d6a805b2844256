package io.anser.broker.metadata;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** What kind of messages a topic is for: its attribute {@value #ATTRIBUTE}. Kinds of messages have the same names. */
public enum MessageType {
    /** The topic says nothing: any message. */
    UNSPECIFIED,
    /** Messages without anything special. */
    NORMAL,
    /** Messages in order; one without a key of its order has that of its queue. */
    FIFO,
    /** Messages that are put off. */
    DELAY,
    /** Messages of transactions. */
    TRANSACTION,
    /** Messages of which some go before others; one without a priority has the lowest. */
    PRIORITY,
    /** The parent of lite topics. */
    LITE,
    /** Any message. */
    MIXED;

    /** Name of the topic's attribute. */
    public static final String ATTRIBUTE = "message.type";

    /**
     * Says what is wrong with a value.
     *
     * @return the attribute, its value and what is allowed; empty when it is fine or the attribute is another one
     */
    public static Optional<String> problem(String name, String value) {
        return name.equals(ATTRIBUTE) && find(value).isEmpty()
                ? Optional.of("attribute " + name + "=" + value + " allowed=" + Arrays.toString(values()))
                : Optional.empty();
    }

    /** The type of a topic with these attributes; a value that nobody knows counts as not given. */
    static MessageType of(Map<String, String> attributes) {
        return Optional.ofNullable(attributes.get(ATTRIBUTE))
                .flatMap(MessageType::find)
                .orElse(UNSPECIFIED);
    }

    private static Optional<MessageType> find(String value) {
        return Arrays.stream(values()).filter(type -> type.name().equals(value)).findFirst();
    }

    /** Says whether a topic of this type takes any message. */
    public boolean takesAll() {
        return switch (this) {
            case UNSPECIFIED, MIXED, LITE -> true;
            case NORMAL, FIFO, DELAY, TRANSACTION, PRIORITY -> false;
        };
    }

    /** Says whether a topic of this type takes a message of a kind. */
    public boolean takes(MessageType kind) {
        return takesAll() || this == kind || (kind == NORMAL && (this == FIFO || this == PRIORITY));
    }
}
