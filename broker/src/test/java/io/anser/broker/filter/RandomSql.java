package io.anser.broker.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random SQL92 expressions. */
final class RandomSql {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> TEXTS = List.of("x", "xx", "y", "é", "it's", "", "true", "2");
    private static final List<String> EQUALITIES = List.of("=", "<>");
    private static final List<String> ORDERS = List.of("<", "<=", ">", ">=");

    private static final List<PlainSql> TRUTHS = List.of(new PlainSql.Literal(true), new PlainSql.Literal(false));

    private final Random random;

    RandomSql(Random random) {
        this.random = random;
    }

    PlainSql condition(int depth) {
        int kind = random.nextInt(depth == 0 ? 8 : 14);
        return switch (kind) {
            case 0 -> compare(property(), EQUALITIES, random.nextBoolean() ? property() : text());
            case 1 -> compare(text(), EQUALITIES, property());
            case 2 -> compare(property(), random.nextBoolean() ? EQUALITIES : ORDERS, number());
            case 3 -> compare(number(), random.nextBoolean() ? EQUALITIES : ORDERS, property());
            case 4 -> compare(property(), ORDERS, property());
            case 5 -> test();
            case 6 -> between();
            case 7 -> simple();
            case 8 -> compare(inner(depth), EQUALITIES, pick(TRUTHS));
            case 9 -> new PlainSql.IsNull(inner(depth), random.nextBoolean());
            case 10 -> new PlainSql.Not(inner(depth));
            case 11 -> new PlainSql.All(several(depth));
            case 12 -> new PlainSql.Any(several(depth));
            default -> compare(inner(depth), EQUALITIES, inner(depth));
        };
    }

    private PlainSql inner(int depth) {
        return new PlainSql.Bracketed(condition(depth - 1));
    }

    private List<PlainSql> several(int depth) {
        List<PlainSql> parts = new ArrayList<>();
        for (int i = random.nextInt(2); i < 3; i++) {
            parts.add(condition(depth - 1));
        }
        return parts;
    }

    private PlainSql compare(PlainSql left, List<String> signs, PlainSql right) {
        return new PlainSql.Compare(left, pick(signs), right);
    }

    private PlainSql test() {
        boolean not = random.nextBoolean();
        return switch (random.nextInt(4)) {
            case 0 -> new PlainSql.In(property(), List.of(pick(TEXTS), pick(TEXTS)), not);
            case 1 -> new PlainSql.TextTest(property(), "CONTAINS", pick(TEXTS), not);
            case 2 -> new PlainSql.TextTest(property(), "STARTSWITH", pick(TEXTS), not);
            default -> new PlainSql.TextTest(property(), "ENDSWITH", pick(TEXTS), not);
        };
    }

    private PlainSql between() {
        long low = random.nextInt(4);
        PlainSql high = random.nextBoolean() ? property() : new PlainSql.Literal(low + random.nextInt(9));
        return new PlainSql.Between(property(), new PlainSql.Literal(low), high, random.nextBoolean());
    }

    private PlainSql simple() {
        return switch (random.nextInt(4)) {
            case 0 -> property();
            case 1 -> pick(TRUTHS);
            case 2 -> new PlainSql.IsNull(property(), random.nextBoolean());
            default -> compare(property(), EQUALITIES, pick(TRUTHS));
        };
    }

    private PlainSql property() {
        return new PlainSql.Property(pick(NAMES));
    }

    private PlainSql text() {
        return new PlainSql.Literal(pick(TEXTS));
    }

    private PlainSql number() {
        return new PlainSql.Literal(
                random.nextBoolean()
                        ? (Object) (long) (random.nextInt(16) - 4)
                        : pick(List.of(2.0, 2.5, 0.1, 10.0, -3.0)));
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
