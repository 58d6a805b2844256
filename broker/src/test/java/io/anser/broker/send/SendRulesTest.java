package io.anser.broker.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.operation.SendMessage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SendRulesTest {
    private final SendRules rules = new SendRules(100);

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
    void aNameThatIsNoneIsIllegalAndNotRepeated() {
        assertThat(check(request("../../T", "g", 0, 0), 1).orElseThrow().code()).isEqualTo(13);
        assertThat(check(request("T".repeat(128), "g", 0, 0), 1))
                .contains(new Refusal(13, "topic length=128 limit=127"));
        assertThat(check(request("T", "", 0, 0), 1)).contains(new Refusal(13, "group is empty"));
    }

    @Test
    void theTopicsOfTheBrokerItselfAreClosed() {
        assertThat(check(request("SCHEDULE_TOPIC_XXXX", "g", 0, 0), 1))
                .contains(new Refusal(16, "topic=SCHEDULE_TOPIC_XXXX is kept by the broker for itself"));
    }

    @Test
    void aPreparedMessageIsRefusedRatherThanShown() {
        assertThat(check(request("T", "g", 4, 0), 1))
                .contains(new Refusal(3, "sysFlag=4: transactions are not supported by this broker"));
    }

    private Optional<Refusal> check(SendMessage.Request request, int bodyBytes) {
        return rules.check(request, bodyBytes);
    }

    private static SendMessage.Request request(String topic, String group, int sysFlag, int propertyBytes) {
        return new SendMessage.Request(
                group, topic, "TBW102", 4, 0, sysFlag, 1, 0, new byte[propertyBytes], 0, false, false, -1);
    }
}
