package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateAcl;
import io.anser.protocol.operation.CreateUser;
import io.anser.protocol.operation.DeleteAcl;
import io.anser.protocol.operation.DeleteUser;
import io.anser.protocol.operation.GetAcl;
import io.anser.protocol.operation.GetUser;
import io.anser.protocol.operation.ListAcls;
import io.anser.protocol.operation.ListUsers;
import io.anser.protocol.operation.UpdateAcl;
import io.anser.protocol.operation.UpdateUser;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and rules as Apache's tools ask for them. */
class AuthTest {
    private static final String RULE =
            "{\"policies\":[{\"policyType\":\"Custom\",\"entries\":[{\"resource\":\"Topic:a\","
                    + "\"actions\":[\"pub\",\"Sub\"],\"sourceIps\":[\"10.0.0.0/8\"],\"decision\":\"allow\"}]}]}";

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aUserIsCreatedChangedListedAndDeleted() throws Exception {
        assertThat(create("alice", "{\"username\":\"alice\",\"password\":\"s3cret\",\"userType\":\"Normal\"}")
                        .code())
                .isZero();
        create("bob", "{\"password\":\"b0b\"}");

        assertThat(user("alice"))
                .isEqualTo("{\"userStatus\":\"enable\",\"userType\":\"Normal\",\"username\":\"alice\"}");
        assertThat(tell(
                                UpdateUser.CODE,
                                new UpdateUser.Request("alice"),
                                "{\"userType\":\"Super\",\"userStatus\":\"disable\"}")
                        .code())
                .isZero();
        assertThat(user("alice"))
                .isEqualTo("{\"userStatus\":\"disable\",\"userType\":\"Super\",\"username\":\"alice\"}");
        assertThat(text(broker.ask(ListUsers.CODE, new ListUsers.Request(""))))
                .startsWith("[{")
                .contains("alice", "bob");
        assertThat(text(broker.ask(ListUsers.CODE, new ListUsers.Request("bo"))))
                .contains("bob")
                .doesNotContain("alice");
        assertThat(broker.ask(DeleteUser.CODE, new DeleteUser.Request("alice")).code())
                .isZero();
        assertThat(text(broker.ask(ListUsers.CODE, new ListUsers.Request("")))).doesNotContain("alice");
    }

    @Test
    void noAnswerHasAPassword() throws Exception {
        create("alice", "{\"password\":\"s3cret\"}");

        assertThat(user("alice")).doesNotContain("s3cret").doesNotContain("password");
        assertThat(text(broker.ask(ListUsers.CODE, new ListUsers.Request(""))))
                .doesNotContain("s3cret")
                .doesNotContain("password");
    }

    @Test
    void usersAndRulesSurviveARestart() throws Exception {
        create("alice", "{\"password\":\"s3cret\",\"userType\":\"Super\"}");
        createRules("User:alice", RULE);

        broker.close();
        broker = RunningBroker.open(directory);

        assertThat(user("alice")).contains("\"userType\":\"Super\"");
        assertThat(rules("User:alice")).contains("Topic:a");
    }

    @Test
    void whatNoUserCanBeIsRefusedWithTheFieldAndTheLimit() throws Exception {
        assertRefused(create("", "{\"password\":\"p\"}"), 29, "username has 0 characters, allowed=1..64");
        assertRefused(create("x".repeat(65), "{\"password\":\"p\"}"), 29, "username has 65 characters, allowed=1..64");
        assertRefused(
                create("a b", "{\"password\":\"p\"}"),
                29,
                "username=a b has white space, a control character or a colon, which none may have");
        assertRefused(create("alice", "{}"), 29, "password is empty: a user needs one");
        assertRefused(
                create("alice", "{\"password\":\"" + "p".repeat(257) + "\"}"),
                29,
                "password has 257 characters, allowed=1..256");
        assertRefused(
                create("alice", "{\"password\":\"p\",\"userType\":\"King\"}"),
                29,
                "userType=King is neither Super nor Normal");
        assertRefused(
                create("alice", "{\"password\":\"p\",\"userStatus\":\"on\\nand off\"}"),
                29,
                "userStatus=on\\u000aand off is neither enable nor disable");
        create("alice", "{\"password\":\"p\"}");
        assertRefused(create("alice", "{\"password\":\"p\"}"), 1, "username=alice exists already");
        assertRefused(
                tell(UpdateUser.CODE, new UpdateUser.Request("bob"), "{\"password\":\"p\"}"),
                3001,
                "username=bob does not exist");
        assertRefused(broker.ask(DeleteUser.CODE, new DeleteUser.Request("bob")), 3001, "username=bob does not exist");
        assertRefused(broker.ask(GetUser.CODE, new GetUser.Request("bob")), 3001, "username=bob does not exist");
    }

    @Test
    void rulesAreCreatedChangedListedAndDeleted() throws Exception {
        create("alice", "{\"password\":\"p\"}");

        assertThat(createRules("User:alice", RULE).code()).isZero();
        assertThat(rules("User:alice"))
                .isEqualTo("{\"policies\":[{\"entries\":[{\"actions\":[\"Pub\",\"Sub\"],\"decision\":\"Allow\","
                        + "\"resource\":\"Topic:a\",\"sourceIps\":[\"10.0.0.0/8\"]}],\"policyType\":\"Custom\"}],"
                        + "\"subject\":\"User:alice\"}");
        tell(
                UpdateAcl.CODE,
                new UpdateAcl.Request("User:alice"),
                "{\"policies\":[{\"entries\":[{\"resource\":\"Topic:a\",\"actions\":[\"Sub\"],\"decision\":\"Deny\"},"
                        + "{\"resource\":\"Group:g*\",\"actions\":[\"All\"],\"decision\":\"Allow\"}]}]}");
        assertThat(rules("User:alice"))
                .contains("\"actions\":[\"Sub\"],\"decision\":\"Deny\",\"resource\":\"Topic:a\"")
                .contains("Group:g*");
        assertThat(text(broker.ask(ListAcls.CODE, new ListAcls.Request("ali", "Group"))))
                .contains("User:alice");
        assertThat(text(broker.ask(ListAcls.CODE, new ListAcls.Request("", "Topic:b"))))
                .isEqualTo("[]");
        assertThat(delete("User:alice", "Topic:a").code()).isZero();
        assertThat(rules("User:alice")).doesNotContain("Topic:a").contains("Group:g*");
        assertRefused(delete("User:alice", "Topic:a"), 3002, "subject=User:alice has no rule about resource=Topic:a");
        assertThat(delete("User:alice", "").code()).isZero();
        assertRefused(
                broker.ask(GetAcl.CODE, new GetAcl.Request("User:alice")), 3002, "subject=User:alice has no rules");
    }

    @Test
    void aMistypedKindOfRulesDeletesNone() throws Exception {
        create("alice", "{\"password\":\"p\"}");
        createRules("User:alice", RULE);

        assertRefused(
                broker.ask(DeleteAcl.CODE, new DeleteAcl.Request("User:alice", "Defualt", "")),
                29,
                "policyType=Defualt is none of [Custom, Default]");

        assertThat(rules("User:alice")).contains("Topic:a");
    }

    @Test
    void rulesGoWithTheirUser() throws Exception {
        create("alice", "{\"password\":\"p\"}");
        createRules("User:alice", RULE);

        broker.ask(DeleteUser.CODE, new DeleteUser.Request("alice"));

        assertThat(text(broker.ask(ListAcls.CODE, new ListAcls.Request("", ""))))
                .isEqualTo("[]");
    }

    @Test
    void whatNoRuleCanBeIsRefusedWithTheField() throws Exception {
        create("alice", "{\"password\":\"p\"}");

        assertRefused(createRules("alice", RULE), 29, "subject=alice is not of the form User:name");
        assertRefused(createRules("User:bob", RULE), 3001, "subject=User:bob does not exist");
        assertRefused(createRules("User:alice", "{}"), 29, "policies has no entries");
        assertRefused(
                tell(UpdateAcl.CODE, new UpdateAcl.Request("User:alice"), RULE),
                3002,
                "subject=User:alice has no rules yet");
        assertThat(createRules("User:alice", RULE.replace("Topic:a", "Topic"))
                        .remark()
                        .orElse(""))
                .startsWith("resource=Topic is neither * nor one of");
        assertThat(createRules("User:alice", RULE.replace("Topic:a", "Topic:" + "a".repeat(600)))
                        .remark())
                .contains("resource length=606 limit=512");
        assertThat(createRules("User:alice", RULE.replace("\"pub\",\"Sub\"", ""))
                        .remark()
                        .orElse(""))
                .startsWith("actions is empty: one or more of [All, ");
        assertThat(createRules("User:alice", RULE.replace("pub", "eat"))
                        .remark()
                        .orElse(""))
                .startsWith("actions has eat, which is none of [All, ");
        assertThat(createRules("User:alice", RULE.replace("allow", "maybe"))
                        .remark()
                        .orElse(""))
                .startsWith("decision=maybe is none of");
        assertThat(createRules("User:alice", RULE.replace("10.0.0.0/8", "10.0.0.0/33"))
                        .remark()
                        .orElse(""))
                .startsWith("sourceIps has 10.0.0.0/33, which is neither an address nor a network");
    }

    /** Each of them was decided on the rules as they were, and undid those that came with it. */
    @Test
    void rulesThatAreAddedAtTheSameTimeAreAllThere() throws Exception {
        create("alice", "{\"password\":\"p\"}");
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            replies.add(
                    later(CreateAcl.CODE, new CreateAcl.Request("User:alice"), RULE.replace("Topic:a", "Topic:t" + i)));
        }
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }

        for (int i = 0; i < 40; i++) {
            assertThat(rules("User:alice")).contains("\"Topic:t" + i + "\"");
        }
    }

    @Test
    void changesOfOneUserAtTheSameTimeAllCount() throws Exception {
        for (int i = 0; i < 20; i++) {
            create("u" + i, "{\"password\":\"p\"}");
            CompletableFuture<Reply> type =
                    later(UpdateUser.CODE, new UpdateUser.Request("u" + i), "{\"userType\":\"Super\"}");
            CompletableFuture<Reply> state =
                    later(UpdateUser.CODE, new UpdateUser.Request("u" + i), "{\"userStatus\":\"disable\"}");
            assertThat(RunningBroker.get(type).code()).isZero();
            assertThat(RunningBroker.get(state).code()).isZero();

            assertThat(user("u" + i)).contains("\"userStatus\":\"disable\",\"userType\":\"Super\"");
        }
    }

    @Test
    void theKindOfAResourceHasNoCase() throws Exception {
        create("alice", "{\"password\":\"p\"}");
        createRules("User:alice", RULE);

        assertThat(createRules("User:alice", RULE.replace("Topic:a", "topic:a").replace("allow", "deny"))
                        .code())
                .isZero();
        createRules("User:alice", RULE.replace("Topic:a", "TOPIC:A"));

        assertThat(rules("User:alice"))
                .contains("\"decision\":\"Deny\",\"resource\":\"Topic:a\"")
                .contains("\"decision\":\"Allow\",\"resource\":\"Topic:A\"")
                .doesNotContain("topic:a")
                .doesNotContain("TOPIC");
        assertThat(text(broker.ask(ListAcls.CODE, new ListAcls.Request("", "topic:a"))))
                .contains("User:alice");
        assertThat(delete("User:alice", "topic:a").code()).isZero();
        assertThat(rules("User:alice")).doesNotContain("Topic:a").contains("Topic:A");
    }

    @Test
    void rulesHaveABoundInBytes() throws Exception {
        create("alice", "{\"password\":\"p\"}");
        createRules("User:alice", RULE);
        String addresses = "\"10.0.0.0/8\"" + ",\"192.168.100.100\"".repeat(8000);

        Reply refused = createRules("User:alice", RULE.replace("\"10.0.0.0/8\"", addresses));

        assertThat(refused.code()).isEqualTo(29);
        assertThat(refused.remark().orElse(""))
                .matches("subject=User:alice policies have [0-9]+ bytes with what is there, limit=131072");
        assertThat(rules("User:alice")).contains("Topic:a");
    }

    private CompletableFuture<Reply> later(int code, FieldSource fields, String json) {
        return broker.call(code, fields, Unpooled.copiedBuffer(json, StandardCharsets.UTF_8));
    }

    private Reply create(String name, String json) throws Exception {
        return tell(CreateUser.CODE, new CreateUser.Request(name), json);
    }

    private Reply createRules(String subject, String json) throws Exception {
        return tell(CreateAcl.CODE, new CreateAcl.Request(subject), json);
    }

    private Reply delete(String subject, String resource) throws Exception {
        return broker.ask(DeleteAcl.CODE, new DeleteAcl.Request(subject, "", resource));
    }

    private String user(String name) throws Exception {
        return text(broker.ask(GetUser.CODE, new GetUser.Request(name)));
    }

    private String rules(String subject) throws Exception {
        return text(broker.ask(GetAcl.CODE, new GetAcl.Request(subject)));
    }

    private Reply tell(int code, FieldSource fields, String json) throws Exception {
        return RunningBroker.get(later(code, fields, json));
    }

    private static String text(Reply reply) {
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.remark()).contains(remark);
    }
}
