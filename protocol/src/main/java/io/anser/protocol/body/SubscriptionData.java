package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a consumer group wants of a topic.
 *
 * @param topic topic name
 * @param subString the expression: {@code *}, {@code a || b}, or SQL92
 * @param tagsSet the tags of the expression; empty for all messages
 * @param codeSet Java string hashes of the tags, which is what a broker compares
 * @param subVersion time of the last change, milliseconds; a greater one is newer
 * @param expressionType {@link #TAG} or {@link #SQL92}
 * @param classFilterMode always false with present clients
 */
public record SubscriptionData(
        String topic,
        String subString,
        Set<String> tagsSet,
        Set<Integer> codeSet,
        long subVersion,
        String expressionType,
        boolean classFilterMode)
        implements JsonBody {
    /** Expression for all messages. */
    public static final String ALL = "*";
    /** Expression of tags. */
    public static final String TAG = "TAG";
    /** Expression over properties. */
    public static final String SQL92 = "SQL92";

    /** Copies the sets. */
    public SubscriptionData {
        tagsSet = Ordered.copy(tagsSet);
        codeSet = Ordered.copy(codeSet);
    }

    /**
     * The subscription of a tag expression.
     *
     * @param expression tags separated by {@code ||}; {@code *} or "" for all messages
     * @throws MalformedBodyException if the expression has bars but no tag
     */
    public static SubscriptionData ofTags(String topic, String expression, long subVersion) {
        if (expression.isBlank() || expression.strip().equals(ALL)) {
            return new SubscriptionData(topic, ALL, Set.of(), Set.of(), subVersion, TAG, false);
        }
        Set<String> tags = new LinkedHashSet<>();
        Set<Integer> codes = new LinkedHashSet<>();
        for (String part : expression.split("\\|\\|")) {
            String tag = part.strip();
            if (!tag.isEmpty()) {
                tags.add(tag);
                codes.add(tag.hashCode());
            }
        }
        if (tags.isEmpty()) {
            throw new MalformedBodyException("subscription expression has no tag, length=" + expression.length());
        }
        return new SubscriptionData(topic, expression, tags, codes, subVersion, TAG, false);
    }

    /** Whether every message of the topic is wanted. */
    public boolean wantsAll() {
        return isTag() && (subString.equals(ALL) || subString.isEmpty());
    }

    /** Whether the expression is one of tags. */
    public boolean isTag() {
        return !expressionType.equals(SQL92);
    }

    /** Reads a body. */
    public static SubscriptionData read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, SubscriptionData::read);
    }

    /** Reads one value. */
    public static SubscriptionData read(JsonReader in) {
        String topic = "";
        String subString = "";
        List<String> tags = List.of();
        List<Integer> codes = List.of();
        long subVersion = 0;
        String expressionType = TAG;
        boolean classFilterMode = false;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topic" -> topic = in.string();
                    case "subString" -> subString = in.string();
                    case "tagsSet" -> tags = in.list(JsonReader::string);
                    case "codeSet" -> codes = in.list(JsonReader::integer);
                    case "subVersion" -> subVersion = in.number();
                    case "expressionType" -> expressionType = orTag(in.string());
                    case "classFilterMode" -> classFilterMode = in.flag();
                    default -> in.skip();
                }
            }
        }
        return new SubscriptionData(
                topic, subString, Ordered.copy(tags), Ordered.copy(codes), subVersion, expressionType, classFilterMode);
    }

    private static String orTag(String expressionType) {
        return expressionType.isEmpty() ? TAG : expressionType;
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("classFilterMode", classFilterMode);
        out.name("codeSet").beginArray();
        codeSet.forEach(out::value);
        out.endArray();
        out.member("expressionType", expressionType).member("subString", subString);
        out.member("subVersion", subVersion).strings("tagsSet", tagsSet).member("topic", topic);
        out.endObject();
    }
}
