package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.MalformedJsonException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bodies of what operators ask for. */
class AdministrationBodiesTest {
    private static final MessageQueue QUEUE = new MessageQueue("Orders", "broker-a", 3);
    private static final String NAME = "{\"brokerName\":\"broker-a\",\"queueId\":3,\"topic\":\"Orders\"}";

    @Test
    void queuesAreWholeObjectsAsMemberNames() {
        ConsumeStats stats = new ConsumeStats(Map.of(QUEUE, new ConsumedQueue(9, 4, 6, 7)), 1.5);
        QueueOffsetTable offsets = new QueueOffsetTable(Map.of(QUEUE, 5L));

        assertThat(text(stats))
                .isEqualTo("{\"consumeTps\":1.5,\"offsetTable\":{" + NAME
                        + ":{\"brokerOffset\":9,\"consumerOffset\":4,\"lastTimestamp\":7,\"pullOffset\":6}}}");
        assertThat(ConsumeStats.read(stats.write())).isEqualTo(stats);
        assertThat(stats.lag()).isEqualTo(5);
        assertThat(stats.inFlight()).isEqualTo(2);
        assertThat(text(offsets)).isEqualTo("{\"offsetTable\":{" + NAME + ":5}}");
        assertThat(QueueOffsetTable.read(offsets.write())).isEqualTo(offsets);
    }

    @Test
    void aConsumerStatusIsThatOfOneMemberOrOfSeveral() {
        ConsumerStatus status = new ConsumerStatus(Map.of(QUEUE, 5L), Map.of("c1", Map.of(QUEUE, 6L)));

        assertThat(text(status))
                .isEqualTo("{\"consumerTable\":{\"c1\":{" + NAME + ":6}},\"messageQueueTable\":{" + NAME + ":5}}");
        assertThat(ConsumerStatus.read(status.write())).isEqualTo(status);
        assertThatThrownBy(() -> ConsumerStatus.read("{\"messageQueueTable\":{\"x\":1}}".getBytes(UTF_8)))
                .isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void listsComeBackAsTheyWereWritten() {
        TopicConfigList topics = new TopicConfigList(List.of(new TopicConfig("A", 1, 2, 6)));
        SubscriptionGroupList groups = new SubscriptionGroupList(List.of(SubscriptionGroupConfig.defaults("g")));

        assertThat(TopicConfigList.read(topics.write())).isEqualTo(topics);
        assertThat(SubscriptionGroupList.read(groups.write())).isEqualTo(groups);
        assertThat(TopicConfigList.read("{}".getBytes(UTF_8)).topicConfigList()).isEmpty();
    }

    @Test
    void whatIsUnknownIsLeftOut() {
        assertThat(text(new QueriedSubscription(Optional.empty(), "g", "t")))
                .isEqualTo("{\"group\":\"g\",\"topic\":\"t\"}");
        assertThat(text(new QueriedConsumeQueue(Optional.empty(), "", List.of(), 2, 1)))
                .isEqualTo("{\"maxQueueIndex\":2,\"minQueueIndex\":1,\"queueData\":[]}");
    }

    @Test
    void aPasswordIsReadAndNeverWritten() {
        UserInfo info =
                UserInfo.read("{\"username\":\"al\",\"password\":\"pw\",\"userType\":\"Super\"}".getBytes(UTF_8));

        assertThat(info).isEqualTo(new UserInfo("al", "pw", "Super", ""));
        assertThat(text(info)).isEqualTo("{\"userType\":\"Super\",\"username\":\"al\"}");
        assertThat(info.toString()).doesNotContain("pw");
    }

    @Test
    void rulesComeBackAsTheyWereWritten() {
        AclInfo rules = new AclInfo(
                "User:al",
                List.of(new AclInfo.Policy(
                        "Custom",
                        List.of(new AclInfo.Entry("Topic:a", List.of("Pub", "Sub"), List.of("10.0.0.1"), "Deny")))));

        assertThat(AclInfo.read(rules.write())).isEqualTo(rules);
    }

    @Test
    void settingsAreLinesThatAJavaReaderOfPropertiesUnderstands() {
        Map<String, String> settings = Map.of("path", "C:\\new", "text", "a\nb");

        assertThat(SettingsText.read(SettingsText.write(settings))).isEqualTo(settings);
        assertThat(SettingsText.read("# remark\na = 1 \nb=2\n")).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThatThrownBy(() -> SettingsText.read("a=\\u12"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessageStartingWith("settings are not lines of name=value");
    }

    private static String text(JsonBody body) {
        return new String(body.write(), UTF_8);
    }
}
