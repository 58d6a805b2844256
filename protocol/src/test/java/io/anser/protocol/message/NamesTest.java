package io.anser.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"Orders", "%RETRY%my-group", "a|b", "_", "0", "ns%topic"})
    void acceptsLegalTopics(String topic) {
        assertThat(Names.checkTopic(topic)).isEmpty();
    }

    @Test
    void saysWhyATopicIsRefused() {
        assertThat(Names.checkTopic("")).contains(new NameProblem(NameProblem.Reason.EMPTY, "topic is empty"));
        assertThat(Names.checkTopic("t".repeat(5000)))
                .contains(new NameProblem(NameProblem.Reason.TOO_LONG, "topic length=5000 limit=127"));
        assertThat(Names.checkTopic("a/../b"))
                .contains(new NameProblem(
                        NameProblem.Reason.ILLEGAL_CHARACTER,
                        "topic has the character U+002F at index 1; allowed are letters, digits and % | _ -"));
    }

    @Test
    void refusesRetryAndDeadLetterTopicsOfNoGroup() {
        assertThat(Names.checkTopic("%RETRY%"))
                .contains(new NameProblem(NameProblem.Reason.EMPTY, "topic=%RETRY% names no group"));
        assertThat(Names.checkTopic("%DLQ%"))
                .contains(new NameProblem(NameProblem.Reason.EMPTY, "topic=%DLQ% names no group"));
    }

    @Test
    void refusesALightQueueWithoutAName() {
        assertThat(Names.checkTopic("%LMQ%"))
                .contains(new NameProblem(NameProblem.Reason.EMPTY, "topic=%LMQ% names no light queue"));
        assertThat(Names.checkTopic("%LMQ%a")).isEmpty();
    }

    @Test
    void neverRepeatsControlCharacters() {
        assertThat(Names.checkTopic("a\nb\u0000").orElseThrow().text())
                .contains("U+000A at index 1")
                .doesNotContain("\n");
    }

    @Test
    void allowsDerivedTopicsToBeLonger() {
        assertThat(Names.checkTopic("t".repeat(127))).isEmpty();
        assertThat(Names.checkTopic("t".repeat(128))).isPresent();
        assertThat(Names.checkTopic("%RETRY%" + "g".repeat(120))).isEmpty();
        assertThat(Names.checkTopic("%DLQ%" + "g".repeat(250))).isEmpty();
        assertThat(Names.checkTopic("%DLQ%" + "g".repeat(251))).isPresent();
    }

    @Test
    void limitsGroupsTo120Characters() {
        assertThat(Names.checkGroup("g".repeat(120))).isEmpty();
        assertThat(Names.checkGroup("g".repeat(121)))
                .contains(new NameProblem(NameProblem.Reason.TOO_LONG, "group length=121 limit=120"));
        assertThat(Names.checkGroup("../")).isPresent();
    }

    @Test
    void derivesTopicsFromGroupsAndBack() {
        assertThat(Names.retryTopic("g")).isEqualTo("%RETRY%g");
        assertThat(Names.dlqTopic("g")).isEqualTo("%DLQ%g");
        assertThat(Names.groupOf("%RETRY%g")).contains("g");
        assertThat(Names.groupOf("%DLQ%g")).contains("g");
        assertThat(Names.groupOf("Orders")).isEmpty();
    }

    @Test
    void knowsTheRetryTopicsOfATopicThatIsPopped() {
        String retry = Names.popRetryTopic("workers", "Orders");

        assertThat(Names.isPopRetryTopicOf(retry, "Orders")).isTrue();
        assertThat(Names.isPopRetryTopicOf(retry, "rders")).isFalse();
        assertThat(Names.isPopRetryTopicOf(Names.retryTopic("Orders"), "Orders"))
                .isFalse();
        assertThat(Names.isPopRetryTopicOf("Orders", "Orders")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Orders, true, false",
        "%RETRY%g, true, false",
        "TBW102, true, true",
        "BenchmarkTest, true, true",
        "RMQ_SYS_TRACE_TOPIC, true, true",
        "SCHEDULE_TOPIC_XXXX, false, true",
        "RMQ_SYS_TRANS_HALF_TOPIC, false, true",
        "RMQ_SYS_TRANS_OP_HALF_TOPIC, false, true",
        "TRANS_CHECK_MAX_TIME_TOPIC, false, true",
        "SELF_TEST_TOPIC, false, true",
        "OFFSET_MOVED_EVENT, false, true",
        "rmq_sys_wheel_timer, false, true",
    })
    void knowsTheTopicsABrokerKeepsForItself(String topic, boolean mayBeSentTo, boolean system) {
        assertThat(Names.mayBeSentTo(topic)).isEqualTo(mayBeSentTo);
        assertThat(Names.isSystemTopic(topic)).isEqualTo(system);
    }

    @Test
    void knowsSystemGroups() {
        assertThat(Names.isSystemGroup("CID_RMQ_SYS_TRANS")).isTrue();
        assertThat(Names.isSystemGroup("CID_orders")).isFalse();
    }
}
