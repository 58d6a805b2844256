package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Optional;

/**
 * How long messages of a group wait before they are tried again.
 *
 * @param type which of the two counts
 * @param exponential used where the type is EXPONENTIAL; without it the standard steps count
 * @param next waits in milliseconds, used where the type is CUSTOMIZED; the first retry takes the third of them, as the first
 *     two of the standard steps are none of retries; empty: the standard steps count
 */
public record GroupRetryPolicy(Type type, Optional<Exponential> exponential, List<Long> next) implements JsonBody {
    /** The standard steps: the delay levels from the third on. */
    public static final GroupRetryPolicy STANDARD = new GroupRetryPolicy(Type.CUSTOMIZED, Optional.empty(), List.of());

    /** The kinds of policy. */
    public enum Type {
        /** A list of waits. */
        CUSTOMIZED,
        /** Each wait is a multiple of the one before. */
        EXPONENTIAL
    }

    /** Copies the list. */
    public GroupRetryPolicy {
        next = List.copyOf(next);
    }

    /**
     * Waits that grow.
     *
     * @param initial the first wait, milliseconds
     * @param max no wait is longer, milliseconds
     * @param multiplier what a wait is multiplied with to get the next one
     */
    public record Exponential(long initial, long max, long multiplier) implements JsonBody {
        private static final Exponential USUAL = new Exponential(5_000, 7_200_000, 2);

        /** Reads one value; what is absent has its default. */
        public static Exponential read(JsonReader in) {
            long initial = USUAL.initial;
            long max = USUAL.max;
            long multiplier = USUAL.multiplier;
            while (in.nextMember()) {
                switch (in.name()) {
                    case "initial" -> initial = in.number();
                    case "max" -> max = in.number();
                    case "multiplier" -> multiplier = in.number();
                    default -> in.skip();
                }
            }
            return new Exponential(initial, max, multiplier);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("initial", initial).member("max", max).member("multiplier", multiplier);
            out.endObject();
        }
    }

    /** Reads one value; what is absent is standard. */
    public static GroupRetryPolicy read(JsonReader in) {
        Type type = Type.CUSTOMIZED;
        Optional<Exponential> exponential = Optional.empty();
        List<Long> next = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "type" -> type = WireEnum.of("groupRetryPolicy.type", in.string(), type);
                    case "exponentialRetryPolicy" ->
                        exponential = in.beginObject() ? Optional.of(Exponential.read(in)) : Optional.empty();
                    case "customizedRetryPolicy" -> next = readNext(in);
                    default -> in.skip();
                }
            }
        }
        return new GroupRetryPolicy(type, exponential, next);
    }

    private static List<Long> readNext(JsonReader in) {
        List<Long> next = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                if (in.name().equals("next")) {
                    next = in.list(JsonReader::number);
                } else {
                    in.skip();
                }
            }
        }
        return next;
    }

    /** Says whether the standard steps count. */
    public boolean isStandard() {
        return type == Type.EXPONENTIAL ? exponential.isEmpty() : next.isEmpty();
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        if (!next.isEmpty()) {
            out.name("customizedRetryPolicy").beginObject().name("next").beginArray();
            for (long millis : next) {
                out.value(millis);
            }
            out.endArray().endObject();
        }
        exponential.ifPresent(waits -> out.member("exponentialRetryPolicy", waits));
        out.member("type", type.name());
        out.endObject();
    }
}
