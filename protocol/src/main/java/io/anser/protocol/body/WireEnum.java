package io.anser.protocol.body;

/** Reads constants of enums by their name, which is how they travel. */
final class WireEnum {
    private WireEnum() {}

    /** The constant called {@code name}; {@code whenEmpty} for "". */
    static <E extends Enum<E>> E of(String field, String name, E whenEmpty) {
        if (name.isEmpty()) {
            return whenEmpty;
        }
        for (E constant : whenEmpty.getDeclaringClass().getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new MalformedBodyException(field + " has an unknown value, length=" + name.length());
    }
}
