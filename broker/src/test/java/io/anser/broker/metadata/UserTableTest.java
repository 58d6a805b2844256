package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.AuthChange.RulesAdded;
import io.anser.broker.metadata.AuthChange.RulesRemoved;
import io.anser.broker.metadata.AuthChange.RulesSaved;
import io.anser.broker.metadata.AuthChange.UserChanged;
import io.anser.broker.metadata.AuthChange.UserCreated;
import io.anser.broker.metadata.AuthChange.UserDeleted;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.AclInfo.Entry;
import io.anser.protocol.body.AclInfo.Policy;
import io.anser.protocol.body.UserInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of changes that were asked for at the same time, by the order in which the log has them. */
class UserTableTest {
    private static final String SUBJECT = "User:al";

    private final UserTable table = new UserTable();

    @BeforeEach
    void createUser() {
        table.apply(new UserCreated(new User("al", "pw", false, true)));
    }

    @Test
    void theFirstOfTwoUsersOfOneNameStays() {
        table.apply(new UserCreated(new User("al", "other", true, false)));

        assertThat(table.find("al")).contains(new User("al", "pw", false, true));
    }

    @Test
    void aChangeLeavesWhatItDoesNotNameAsItIs() {
        table.apply(new UserChanged(new UserInfo("al", "", "super", "")));
        table.apply(new UserChanged(new UserInfo("al", "new", "", "")));
        table.apply(new UserChanged(new UserInfo("al", "", "", "Disable")));

        assertThat(table.find("al")).contains(new User("al", "new", true, false));
    }

    @Test
    void aChangeBehindTheDeletionMakesNoUser() {
        table.apply(new UserDeleted("al"));
        table.apply(new UserChanged(new UserInfo("al", "new", "", "")));

        assertThat(table.all()).isEmpty();
    }

    @Test
    void rulesAddedAtTheSameTimeAreAllThere() {
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));
        table.apply(new RulesAdded(false, rules("Topic:b", "Allow")));
        table.apply(new RulesAdded(true, rules("Topic:a", "Deny")));

        assertThat(table.rules(SUBJECT))
                .contains(new AclInfo(
                        SUBJECT,
                        List.of(new Policy("Custom", List.of(entry("Topic:a", "Deny"), entry("Topic:b", "Allow"))))));
    }

    @Test
    void rulesBehindTheDeletionOfTheirUserLeaveNothing() {
        table.apply(new UserDeleted("al"));
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));

        assertThat(table.allRules()).isEmpty();
    }

    @Test
    void aChangeOfRulesBehindTheirDeletionMakesNoneWhereItNeedsSome() {
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));
        table.apply(new RulesRemoved(SUBJECT, "Custom", ""));
        table.apply(new RulesAdded(true, rules("Topic:b", "Allow")));

        assertThat(table.allRules()).isEmpty();
    }

    @Test
    void removingOneRuleLeavesTheOthers() {
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));
        table.apply(new RulesAdded(false, rules("Topic:b", "Allow")));
        table.apply(new RulesRemoved(SUBJECT, "Custom", "TOPIC:a"));
        table.apply(new RulesRemoved(SUBJECT, "Default", ""));

        assertThat(table.rules(SUBJECT)).contains(rules("Topic:b", "Allow"));
    }

    @Test
    void rulesThatWouldBeTooManyTogetherAreNotAdded() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < Rules.MAX_ENTRIES; i++) {
            entries.add(entry("Topic:" + i, "Allow"));
        }
        AclInfo full = new AclInfo(SUBJECT, List.of(new Policy("Custom", entries)));
        table.apply(new RulesAdded(false, full));
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));

        assertThat(table.rules(SUBJECT)).contains(full);
        assertThat(table.tooMany(rules("Topic:a", "Allow"))).contains("subject=User:al rules=1001 limit=1000");
        assertThat(table.tooMany(rules("Topic:7", "Deny"))).isEmpty();
    }

    @Test
    void oneUserTooManyIsNotCreated() {
        for (int i = 1; i < 10_000; i++) {
            table.apply(new UserCreated(new User("u" + i, "pw", false, true)));
        }
        table.apply(new UserCreated(new User("more", "pw", false, true)));
        assertThat(table.find("more")).isEmpty();

        table.apply(new UserDeleted("u1"));
        table.apply(new UserCreated(new User("more", "pw", false, true)));
        assertThat(table.find("more")).isPresent();
    }

    @Test
    void theRulesOfAllSubjectsHaveABoundAlsoAfterARestart() throws IOException {
        int subjects = Rules.MAX_ALL_BYTES / (Rules.MAX_BYTES * 9 / 10) + 2;
        for (int i = 0; i < subjects; i++) {
            table.apply(new UserCreated(new User("u" + i, "pw", false, true)));
            table.apply(new RulesAdded(false, large("User:u" + i)));
        }
        UserTable restored = new UserTable();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.hold().write(new DataOutputStream(bytes));
        restored.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        for (UserTable each : List.of(table, restored)) {
            assertThat(each.allRules()).hasSizeBetween(subjects / 2, subjects - 1);
            assertThat(each.tooMany(large("User:al")).orElse(""))
                    .matches("policies of all subjects have [0-9]+ bytes with these, limit=8388608");
            each.apply(new UserDeleted("u0"));
            assertThat(each.tooMany(large("User:al"))).isEmpty();
        }
    }

    /** Logs of the first versions say what the rules are, and not what is added. */
    @Test
    void rulesSavedTakeThePlaceOfAll() {
        table.apply(new RulesAdded(false, rules("Topic:a", "Allow")));
        table.apply(new RulesSaved(rules("Topic:b", "Allow")));

        assertThat(table.rules(SUBJECT)).contains(rules("Topic:b", "Allow"));
    }

    private static AclInfo large(String subject) {
        List<String> addresses = Collections.nCopies(Rules.MAX_BYTES * 9 / 10 / 18, "192.168.100.100");
        return new AclInfo(
                subject,
                List.of(new Policy("Custom", List.of(new Entry("Topic:a", List.of("Pub"), addresses, "Allow")))));
    }

    private static AclInfo rules(String resource, String decision) {
        return new AclInfo(SUBJECT, List.of(new Policy("Custom", List.of(entry(resource, decision)))));
    }

    private static Entry entry(String resource, String decision) {
        return new Entry(resource, List.of("Pub"), List.of(), decision);
    }
}
