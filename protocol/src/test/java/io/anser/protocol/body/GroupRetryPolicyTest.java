package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.body.GroupRetryPolicy.Exponential;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The JSON is what {@code updateSubGroup -p} of Apache's tools sends. */
class GroupRetryPolicyTest {
    @Test
    void aListOfWaits() {
        GroupRetryPolicy policy =
                new GroupRetryPolicy(GroupRetryPolicy.Type.CUSTOMIZED, Optional.empty(), List.of(1_000L, 5_000L));

        assertThat(read("{\"customizedRetryPolicy\":{\"next\":[1000,5000]},\"type\":\"CUSTOMIZED\"}"))
                .isEqualTo(policy);
        assertThat(written(policy))
                .contains("{\"customizedRetryPolicy\":{\"next\":[1000,5000]},\"type\":\"CUSTOMIZED\"}");
    }

    @Test
    void waitsThatGrow() {
        GroupRetryPolicy policy = new GroupRetryPolicy(
                GroupRetryPolicy.Type.EXPONENTIAL, Optional.of(new Exponential(5_000, 7_200_000, 2)), List.of());

        assertThat(read("{\"exponentialRetryPolicy\":{\"initial\":5000,\"max\":7200000,\"multiplier\":2},"
                        + "\"type\":\"EXPONENTIAL\"}"))
                .isEqualTo(policy);
        assertThat(written(policy))
                .contains("{\"exponentialRetryPolicy\":{\"initial\":5000,\"max\":7200000,\"multiplier\":2},"
                        + "\"type\":\"EXPONENTIAL\"}");
    }

    @Test
    void whatIsLeftOutIsAsUsual() {
        assertThat(read("null")).isEqualTo(GroupRetryPolicy.STANDARD);
        assertThat(read("{\"exponentialRetryPolicy\":null,\"customizedRetryPolicy\":null,\"new\":[1]}"))
                .isEqualTo(GroupRetryPolicy.STANDARD);
        assertThat(read("{\"type\":\"EXPONENTIAL\",\"exponentialRetryPolicy\":{\"max\":9,\"new\":1}}"))
                .isEqualTo(new GroupRetryPolicy(
                        GroupRetryPolicy.Type.EXPONENTIAL, Optional.of(new Exponential(5_000, 9, 2)), List.of()));
        assertThat(read("{\"customizedRetryPolicy\":{\"new\":1}}")).isEqualTo(GroupRetryPolicy.STANDARD);
    }

    @Test
    void aTypeThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> read("{\"type\":\"LINEAR\"}"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("groupRetryPolicy.type has an unknown value, length=6");
    }

    private static GroupRetryPolicy read(String policy) {
        return SubscriptionGroupConfig.read(
                        ("{\"groupName\":\"g\",\"groupRetryPolicy\":" + policy + "}").getBytes(UTF_8))
                .groupRetryPolicy();
    }

    private static String written(GroupRetryPolicy policy) {
        SubscriptionGroupConfig group =
                new SubscriptionGroupConfig("g", true, true, true, false, 1, 16, policy, 0, 1, true, 0, 15, Map.of());
        return new String(group.write(), UTF_8);
    }
}
