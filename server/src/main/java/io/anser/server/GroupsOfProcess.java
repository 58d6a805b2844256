package io.anser.server;

import io.anser.raft.GroupMembers;
import io.anser.raft.ReplicationSettings;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsCatalog;
import io.anser.server.settings.SettingsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The groups that one process is a member of, each with the settings that a broker of that group alone would have. Who is meant
 * to lead goes round: the first group's lead is meant for the member with the lowest number, the second's for the next one.
 *
 * @param groups in the order of the settings
 */
record GroupsOfProcess(List<GroupMembers> groups) {
    /** A name is a folder too. */
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,100}");

    private static final String ORIGIN = "replication.groups";

    /** Copies, and checks that names and addresses differ. */
    GroupsOfProcess {
        groups = List.copyOf(groups);
        Set<String> names = new HashSet<>();
        Set<String> addresses = new HashSet<>();
        for (GroupMembers group : groups) {
            if (!names.add(group.group())) {
                throw new SettingsException(ORIGIN + " has group=" + group.group() + " twice");
            }
            for (String address : group.addresses().values()) {
                if (!addresses.add(address)) {
                    throw new SettingsException(ORIGIN + " has address=" + address
                            + " twice: each member of each group has a port of its own");
                }
            }
        }
    }

    /**
     * Reads {@code NAME 0=host:port 1=host:port 2=host:port} of each group.
     *
     * @throws SettingsException when one is something else
     */
    static GroupsOfProcess of(ReplicationSettings replication) {
        List<GroupMembers> groups = new ArrayList<>();
        for (String text : replication.groups()) {
            String[] words = text.trim().split(" +");
            if (words.length < 2 || !NAME.matcher(words[0]).matches()) {
                throw new SettingsException(ORIGIN + ": \"" + text + "\" is not NAME 0=host:port 1=host:port ...");
            }
            try {
                String members = String.join(",", List.of(words).subList(1, words.length));
                groups.add(GroupMembers.parse(words[0], members, replication.member()));
            } catch (IllegalArgumentException e) {
                throw new SettingsException(ORIGIN + ", group=" + words[0] + ": " + e.getMessage());
            }
        }
        return new GroupsOfProcess(groups);
    }

    /** The settings of each group's broker. */
    Map<GroupMembers, Settings> parts(SettingsCatalog catalog, Settings all, List<String> nameServers) {
        Map<GroupMembers, Settings> parts = new LinkedHashMap<>();
        int turn = 0;
        for (GroupMembers group : groups) {
            List<String> members = new ArrayList<>();
            for (int number : new TreeSet<>(group.addresses().keySet())) {
                members.add(number + "=" + group.addresses().get(number)
                        + (group.learners().contains(number) ? GroupMembers.LEARNER : ""));
            }
            List<Integer> voters = new TreeSet<>(group.addresses().keySet())
                    .stream()
                            .filter(number -> !group.learners().contains(number))
                            .toList();
            Map<String, String> own = Map.of(
                    "broker.name", group.group(),
                    "broker.nameservers", String.join(";", nameServers),
                    "replication.mode", "raft",
                    "replication.members", String.join(",", members),
                    "replication.groups", "",
                    "replication.preferred-leader", Integer.toString(voters.get(turn % voters.size())));
            parts.put(group, all.with(catalog, own, ORIGIN));
            turn++;
        }
        return parts;
    }
}
