package io.anser.broker.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.operation.SendMessage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SendRulesTest {
    private final SendRules rules = new SendRules(() -> 100);

    @Test
    void aPlainMessageIsAccepted() {
        assertThat(check(request("T", "g", 0, 0), 100)).isEmpty();
    }

    @Test
    void aBodyOverTheLimitIsIllegal() {
        assertThat(check(request("T", "g", 0, 0), 101)).contains(new Refusal(13, "body bytes=101 limit=100"));
    }

    @Test
    void propertiesOverTheLimitAreIllegal() {
        assertThat(check(request("T", "g", 0, 32_768), 1))
                .contains(new Refusal(13, "properties bytes=32768 limit=32767"));
    }

    @Test
    void aGroupThatIsNoneIsIllegal() {
        assertThat(check(request("T", "", 0, 0), 1)).contains(new Refusal(13, "group is empty"));
        assertThat(check(request("T", "g/h", 0, 0), 1).orElseThrow().code()).isEqualTo(13);
    }

    @Test
    void theNameOfANewTopicMustBeOneAndIsNotRepeated() {
        assertThat(SendRules.checkNewTopic("T")).isEmpty();
        assertThat(SendRules.checkNewTopic("../../T").orElseThrow())
                .isEqualTo(new Refusal(
                        13, "topic has the character U+002E at index 0; allowed are letters, digits and % | _ -"));
        assertThat(SendRules.checkNewTopic("T".repeat(128))).contains(new Refusal(13, "topic length=128 limit=127"));
    }

    @Test
    void theTopicsOfTheBrokerItselfAreClosed() {
        assertThat(SendRules.checkNewTopic("rmq_sys_x"))
                .contains(new Refusal(16, "topic=rmq_sys_x is kept by the broker for itself"));
    }

    @Test
    void aSendOpensATransactionButEndsNone() {
        assertThat(check(request("T", "g", 4, 0), 1)).isEmpty();
        for (int sysFlag : new int[] {8, 12}) {
            assertThat(check(request("T", "g", sysFlag, 0), 1))
                    .contains(new Refusal(
                            13,
                            "sysFlag=" + sysFlag + ": only single messages to ordinary topics open a transaction, and a"
                                    + " send ends none"));
        }
        assertThat(check(request("%RETRY%g", "g", 4, 0), 1)).isPresent();
    }

    private Optional<Refusal> check(SendMessage.Request request, int bodyBytes) {
        return rules.check(request, bodyBytes);
    }

    private static SendMessage.Request request(String topic, String group, int sysFlag, int propertyBytes) {
        return new SendMessage.Request(
                group, topic, "TBW102", 4, 0, sysFlag, 1, 0, new byte[propertyBytes], 0, false, false, -1);
    }
}
