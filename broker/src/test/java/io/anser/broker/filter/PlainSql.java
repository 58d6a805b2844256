package io.anser.broker.filter;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An SQL92 expression as plain objects: a reference that shares nothing with the compiled filters. A value is a text, a
 * Long, a Double, a Boolean, or null for unknown.
 */
sealed interface PlainSql {
    /** The expression as a client writes it. */
    String text();

    /**
     * What it is for a message.
     *
     * @throws NumberFormatException if it cannot be said
     */
    @Nullable
    Object value(Map<String, String> properties);

    /** Whether the message is wanted. */
    default boolean accepts(Map<String, String> properties) {
        try {
            return Boolean.TRUE.equals(truth(this, properties));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** A property is not true, whatever its text. */
    private static @Nullable Object truth(PlainSql expression, Map<String, String> properties) {
        Object value = expression.value(properties);
        return value instanceof String ? Boolean.FALSE : value;
    }

    private static String not(boolean not) {
        return not ? " NOT" : "";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    record Property(String name) implements PlainSql {
        @Override
        public String text() {
            return name;
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            return properties.get(name);
        }
    }

    record Literal(Object value) implements PlainSql {
        @Override
        public String text() {
            return value instanceof String text
                    ? quoted(text)
                    : String.valueOf(value).toUpperCase(java.util.Locale.ROOT);
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            return value;
        }
    }

    record Bracketed(PlainSql inner) implements PlainSql {
        @Override
        public String text() {
            return "(" + inner.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            return inner.value(properties);
        }
    }

    record Not(PlainSql inner) implements PlainSql {
        @Override
        public String text() {
            return "(NOT " + inner.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            Object value = truth(inner, properties);
            return value == null ? null : !value.equals(true);
        }
    }

    record All(List<PlainSql> parts) implements PlainSql {
        @Override
        public String text() {
            return parts.stream()
                    .map(part -> part instanceof Any ? "(" + part.text() + ")" : part.text())
                    .collect(Collectors.joining(" AND "));
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            boolean unknown = false;
            for (PlainSql part : parts) {
                Object value = truth(part, properties);
                if (Boolean.FALSE.equals(value)) {
                    return false;
                }
                unknown |= value == null;
            }
            return unknown ? null : true;
        }
    }

    record Any(List<PlainSql> parts) implements PlainSql {
        @Override
        public String text() {
            return parts.stream().map(PlainSql::text).collect(Collectors.joining(" OR "));
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            boolean unknown = false;
            for (PlainSql part : parts) {
                Object value = truth(part, properties);
                if (Boolean.TRUE.equals(value)) {
                    return true;
                }
                unknown |= value == null;
            }
            return unknown ? null : false;
        }
    }

    record IsNull(PlainSql inner, boolean not) implements PlainSql {
        @Override
        public String text() {
            return inner.text() + " IS" + PlainSql.not(not) + " NULL";
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            return (inner.value(properties) == null) != not;
        }
    }

    record In(PlainSql left, List<String> texts, boolean not) implements PlainSql {
        @Override
        public String text() {
            String all = texts.stream().map(PlainSql::quoted).collect(Collectors.joining(", "));
            return left.text() + PlainSql.not(not) + " IN (" + all + ")";
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            Object value = left.value(properties);
            return value == null ? null : texts.contains(value) != not;
        }
    }

    record TextTest(PlainSql left, String kind, String sought, boolean not) implements PlainSql {
        @Override
        public String text() {
            return left.text() + PlainSql.not(not) + " " + kind + " " + quoted(sought);
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            if (!(left.value(properties) instanceof String text) || sought.isEmpty()) {
                return false;
            }
            boolean found = switch (kind) {
                case "CONTAINS" -> text.contains(sought);
                case "STARTSWITH" -> text.startsWith(sought);
                default -> text.endsWith(sought);
            };
            return found != not;
        }
    }

    record Between(PlainSql left, PlainSql low, PlainSql high, boolean not) implements PlainSql {
        @Override
        public String text() {
            return left.text() + PlainSql.not(not) + " BETWEEN " + low.text() + " AND " + high.text();
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            return not
                    ? new Any(List.of(new Compare(left, "<", low), new Compare(left, ">", high))).value(properties)
                    : new All(List.of(new Compare(left, ">=", low), new Compare(left, "<=", high))).value(properties);
        }
    }

    record Compare(PlainSql left, String sign, PlainSql right) implements PlainSql {
        @Override
        public String text() {
            return left.text() + " " + sign + " " + right.text();
        }

        @Override
        public @Nullable Object value(Map<String, String> properties) {
            Object one = left.value(properties);
            Object other = right.value(properties);
            Object equal = sign.equals("=") || sign.equals("<>") ? equal(one, other) : order(one, other);
            return sign.equals("<>") && equal != null ? !equal.equals(true) : equal;
        }

        private static @Nullable Object equal(@Nullable Object one, @Nullable Object other) {
            if (one == null) {
                return other == null ? true : null;
            }
            if (other == null) {
                return false;
            }
            if (one instanceof Boolean || other instanceof Boolean) {
                return asBoolean(one) == asBoolean(other);
            }
            return one instanceof String && other instanceof String ? one.equals(other) : compare(one, other) == 0;
        }

        private @Nullable Object order(@Nullable Object one, @Nullable Object other) {
            if (one == null || other == null) {
                return null;
            }
            int order = one instanceof String && other instanceof String
                    ? Double.compare(Double.parseDouble((String) one), Double.parseDouble((String) other))
                    : compare(one, other);
            return switch (sign) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                default -> order >= 0;
            };
        }

        private static boolean asBoolean(Object value) {
            return value instanceof Boolean truth ? truth : Boolean.parseBoolean((String) value);
        }

        private static int compare(Object one, Object other) {
            return one instanceof Double || other instanceof Double
                    ? Double.compare(Double.parseDouble(one.toString()), Double.parseDouble(other.toString()))
                    : Long.compare(Long.parseLong(one.toString()), Long.parseLong(other.toString()));
        }
    }
}
