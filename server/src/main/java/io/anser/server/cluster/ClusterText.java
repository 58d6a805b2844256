package io.anser.server.cluster;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Groups as text: a table for people, JSON for scripts. */
final class ClusterText {
    private static final List<String> HEADINGS = List.of(
            "GROUP", "NUMBER", "MEMBER", "ROLE", "TERM", "LAST", "COMMITTED", "APPLIED", "BEHIND", "BYTES", "STATE");
    private static final String NONE = "-";

    private ClusterText() {}

    /** A table of all members, then a sentence for each group. */
    static String table(List<GroupView> groups) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (GroupView group : groups) {
            group.members().forEach(member -> rows.add(row(group, member)));
        }
        StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append(line(rows, row)).append(System.lineSeparator()));
        for (GroupView group : groups) {
            text.append(group.name()).append(": ").append(group.sentence()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static List<String> row(GroupView group, String member) {
        Optional<GroupMemberStatus> status = Optional.ofNullable(group.answers().get(member));
        return List.of(
                group.name(),
                status.map(known -> Integer.toString(known.number())).orElse(NONE),
                member,
                status.map(known -> known.role().name().toLowerCase(Locale.ROOT))
                        .orElse(NONE),
                status.map(known -> Long.toString(known.term())).orElse(NONE),
                status.map(known -> Long.toString(known.lastIndex())).orElse(NONE),
                status.map(known -> Long.toString(known.committedIndex())).orElse(NONE),
                status.map(known -> Long.toString(known.appliedIndex())).orElse(NONE),
                group.entriesBehind(member).map(String::valueOf).orElse(NONE),
                group.bytesBehind(member).map(String::valueOf).orElse(NONE),
                group.state(member));
    }

    private static String line(List<List<String>> rows, List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            int at = column;
            int width =
                    rows.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
            line.append(row.get(column))
                    .append(" ".repeat(width - row.get(column).length() + 2));
        }
        return line.toString().stripTrailing();
    }

    /** All groups as one JSON object. */
    static String json(List<GroupView> groups) {
        JsonWriter json = new JsonWriter(JsonDialect.STANDARD)
                .beginObject()
                .name("groups")
                .beginArray();
        for (GroupView group : groups) {
            json.beginObject()
                    .member("group", group.name())
                    .member("health", group.health().name().toLowerCase(Locale.ROOT))
                    .member("sentence", group.sentence());
            group.leader()
                    .ifPresent(leader -> json.member("leader", leader.address()).member("term", leader.term()));
            json.name("members").beginArray();
            group.members().forEach(member -> writeMember(json, group, member));
            json.endArray().endObject();
        }
        json.endArray().endObject();
        return new String(json.toBytes(), StandardCharsets.UTF_8) + System.lineSeparator();
    }

    private static void writeMember(JsonWriter json, GroupView group, String member) {
        GroupMemberStatus status = group.answers().get(member);
        json.beginObject()
                .member("member", member)
                .member("answers", status != null)
                .member("learner", group.learns(member))
                .member("state", group.state(member));
        group.entriesBehind(member).ifPresent(count -> json.member("entriesBehind", count.longValue()));
        group.bytesBehind(member).ifPresent(bytes -> json.member("bytesBehind", bytes.longValue()));
        if (status != null) {
            status.writeFields(json);
        }
        json.endObject();
    }
}
