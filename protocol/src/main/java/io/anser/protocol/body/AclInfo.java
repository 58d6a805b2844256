package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * The rules of one subject.
 *
 * @param subject whom they are for, such as {@code User:alice}; empty where the header has it
 * @param policies the rules, by their kind
 */
public record AclInfo(String subject, List<Policy> policies) implements JsonBody {
    /** Copies the list. */
    public AclInfo {
        policies = List.copyOf(policies);
    }

    /**
     * Rules of one kind.
     *
     * @param policyType {@code Custom}, or {@code Default} for rules that hold where no other does; empty for
     *     {@code Custom}
     * @param entries the rules
     */
    public record Policy(String policyType, List<Entry> entries) implements JsonBody {
        /** Copies the list. */
        public Policy {
            entries = List.copyOf(entries);
        }

        private static Policy read(JsonReader in) {
            String policyType = "";
            List<Entry> entries = List.of();
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "policyType" -> policyType = in.string();
                        case "entries" -> entries = in.list(Entry::read);
                        default -> in.skip();
                    }
                }
            }
            return new Policy(policyType, entries);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.members("entries", entries).member("policyType", policyType);
            out.endObject();
        }
    }

    /**
     * One rule.
     *
     * @param resource what it is about, such as {@code Topic:orders}, {@code Group:billing*} or {@code *}
     * @param actions what may be done or not, such as {@code Pub}
     * @param sourceIps addresses or networks that requests come from; empty for all
     * @param decision {@code Allow} or {@code Deny}
     */
    public record Entry(String resource, List<String> actions, List<String> sourceIps, String decision)
            implements JsonBody {
        /** Copies the lists. */
        public Entry {
            actions = List.copyOf(actions);
            sourceIps = List.copyOf(sourceIps);
        }

        private static Entry read(JsonReader in) {
            String resource = "";
            List<String> actions = List.of();
            List<String> sourceIps = List.of();
            String decision = "";
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "resource" -> resource = in.string();
                        case "actions" -> actions = in.list(JsonReader::string);
                        case "sourceIps" -> sourceIps = in.list(JsonReader::string);
                        case "decision" -> decision = in.string();
                        default -> in.skip();
                    }
                }
            }
            return new Entry(resource, actions, sourceIps, decision);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.strings("actions", actions).member("decision", decision);
            out.memberUnlessEmpty("resource", resource).strings("sourceIps", sourceIps);
            out.endObject();
        }
    }

    /** Reads a body. */
    public static AclInfo read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, AclInfo::read);
    }

    private static AclInfo read(JsonReader in) {
        String subject = "";
        List<Policy> policies = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "subject" -> subject = in.string();
                    case "policies" -> policies = in.list(Policy::read);
                    default -> in.skip();
                }
            }
        }
        return new AclInfo(subject, policies);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.members("policies", policies).member("subject", subject);
        out.endObject();
    }
}
