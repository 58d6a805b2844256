package io.anser.broker.filter;

import io.anser.broker.filter.Term.Null;
import io.anser.broker.filter.Term.Property;
import io.anser.broker.filter.Term.Real;
import io.anser.broker.filter.Term.Text;
import io.anser.broker.filter.Term.Truthful;
import io.anser.broker.filter.Term.Whole;
import java.util.List;

/**
 * Compiles comparisons. The rules are those of Apache RocketMQ 5.5.0, as measured:
 *
 * <ul>
 *   <li>A property compared with a whole number must be one, with another number must be a number, else the expression
 *       fails and the message is not wanted; two properties are compared as texts by {@code =} and {@code <>}, as numbers
 *       by the others.
 *   <li>Where the left property is missing, the comparison is unknown, but for two missing ones, which are equal; where the
 *       right one is, {@code =} is false and {@code <>} true, and an order is unknown.
 *   <li>Only numbers and properties have an order. Nothing is compared with NULL.
 * </ul>
 */
final class Comparisons {
    private Comparisons() {}

    /**
     * Compiles one comparison.
     *
     * @throws BadExpressionException if these two cannot be compared
     */
    static Condition of(Term left, Comparison how, Term right) {
        refuseOpenNot(left, how.sign());
        refuseOpenNot(right, how.sign());
        if (how == Comparison.NOT_EQUAL) {
            return Condition.not(of(left, Comparison.EQUAL, right));
        }
        check(left, how);
        check(right, how);
        if (left instanceof Property property) {
            return property(property, how, right);
        }
        if (right instanceof Property property) {
            return mirrored(left, how, property);
        }
        if (left instanceof Truthful one && right instanceof Truthful other) {
            return sameTruth(one.condition(), other.condition());
        }
        if (left instanceof Text one && right instanceof Text other) {
            return Condition.constant(Truth.of(one.value().equals(other.value())));
        }
        if (isNumber(left) && isNumber(right)) {
            return Condition.constant(Truth.of(numbers(left, how, right)));
        }
        throw new BadExpressionException(
                right.at(), "this cannot be compared with what stands before the " + how.sign());
    }

    /** A range with fixed ends must not be empty; between properties it may be. */
    static void checkRange(Term low, Term high) {
        if (isNumber(low) && isNumber(high) && numbers(low, Comparison.GREATER, high)) {
            throw new BadExpressionException(
                    low.at(), "the range of BETWEEN is empty: its first number is the greater one");
        }
    }

    /** NOT binds closer than comparisons do; who writes it so mostly means the other. */
    static void refuseOpenNot(Term term, String sign) {
        if (term instanceof Truthful condition && condition.openNot()) {
            throw new BadExpressionException(
                    term.at(),
                    "NOT needs parentheses where " + sign + " follows or stands before it, as in NOT (a = 'b')");
        }
    }

    private static void check(Term term, Comparison how) {
        if (term instanceof Null) {
            throw new BadExpressionException(
                    term.at(), "NULL cannot be compared by " + how.sign() + ", use IS NULL or IS NOT NULL");
        }
        if (how.isOrder() && !(term instanceof Property) && !isNumber(term)) {
            throw new BadExpressionException(
                    term.at(), "only numbers and properties can be compared by " + how.sign() + " or BETWEEN");
        }
    }

    private static boolean isNumber(Term term) {
        return term instanceof Whole || term instanceof Real;
    }

    private static boolean numbers(Term left, Comparison how, Term right) {
        return (left instanceof Whole one && right instanceof Whole other)
                ? how.holds(one.value(), other.value())
                : how.holds(asReal(left), asReal(right));
    }

    private static double asReal(Term number) {
        return number instanceof Whole whole ? whole.value() : number instanceof Real real ? real.value() : Double.NaN;
    }

    private static Condition property(Property left, Comparison how, Term right) {
        if (right instanceof Property other) {
            return how.isOrder()
                    ? new OrderOfProperties(left.slot(), how, other.slot())
                    : sameProperty(left.slot(), other.slot());
        }
        return literal(left, how, right, Truth.UNKNOWN);
    }

    private static Condition mirrored(Term left, Comparison how, Property right) {
        return literal(right, how.mirrored(), left, how.isOrder() ? Truth.UNKNOWN : Truth.FALSE);
    }

    private static Condition literal(Property property, Comparison how, Term other, Truth missing) {
        int slot = property.slot();
        if (other instanceof Whole whole) {
            return new WithWhole(slot, how, whole.value(), missing);
        }
        if (other instanceof Real real) {
            return new WithReal(slot, how, real.value(), missing);
        }
        if (other instanceof Text text) {
            return new Condition.OneOf(slot, List.of(new TextPattern(text.value())), missing);
        }
        if (other instanceof Truthful truth) {
            return missing == Truth.FALSE
                    ? sameTruth(truth.condition(), Condition.asBoolean(slot))
                    : sameTruth(Condition.asBoolean(slot), truth.condition());
        }
        throw new BadExpressionException(other.at(), "this cannot be compared");
    }

    private static Condition sameTruth(Condition left, Condition right) {
        return row -> {
            Truth one = left.test(row);
            Truth other = right.test(row);
            if (one == Truth.FAILED || other == Truth.FAILED) {
                return Truth.FAILED;
            }
            return one == Truth.UNKNOWN && other != Truth.UNKNOWN ? one : Truth.of(one == other);
        };
    }

    private static Condition sameProperty(int left, int right) {
        return row -> {
            if (!row.has(left)) {
                return row.has(right) ? Truth.UNKNOWN : Truth.TRUE;
            }
            return Truth.of(row.has(right) && row.isSame(left, right));
        };
    }

    /** A property compared with a whole number. */
    private record WithWhole(int slot, Comparison how, long number, Truth missing) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            if (!row.has(slot)) {
                return missing;
            }
            PropertyNumber found = row.number();
            return found.readWhole(row, slot) ? Truth.of(how.holds(found.whole(), number)) : Truth.FAILED;
        }
    }

    /** A property compared with a number that has a fraction. */
    private record WithReal(int slot, Comparison how, double number, Truth missing) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            if (!row.has(slot)) {
                return missing;
            }
            PropertyNumber found = row.number();
            return found.readReal(row, slot) ? Truth.of(how.holds(found.real(), number)) : Truth.FAILED;
        }
    }

    /** The order of two properties that both hold numbers. */
    private record OrderOfProperties(int left, Comparison how, int right) implements Condition {
        @Override
        public Truth test(PropertyRow row) {
            if (!row.has(left) || !row.has(right)) {
                return Truth.UNKNOWN;
            }
            PropertyNumber found = row.number();
            if (!found.readReal(row, left)) {
                return Truth.FAILED;
            }
            double one = found.real();
            return found.readReal(row, right) ? Truth.of(how.holds(one, found.real())) : Truth.FAILED;
        }
    }
}
