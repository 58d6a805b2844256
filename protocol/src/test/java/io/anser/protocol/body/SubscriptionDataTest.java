package io.anser.protocol.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionDataTest {
    @ParameterizedTest
    @ValueSource(strings = {"*", "", "  ", " * "})
    void wantsAll(String expression) {
        SubscriptionData subscription = SubscriptionData.ofTags("Orders", expression, 1);

        assertThat(subscription.wantsAll()).isTrue();
        assertThat(subscription.subString()).isEqualTo("*");
        assertThat(subscription.codeSet()).isEmpty();
    }

    @Test
    void takesTagsApart() {
        SubscriptionData subscription = SubscriptionData.ofTags("Orders", "TagA||  TagB || ", 1);

        assertThat(subscription.wantsAll()).isFalse();
        assertThat(subscription.tagsSet()).isEqualTo(Set.of("TagA", "TagB"));
        assertThat(subscription.codeSet()).isEqualTo(Set.of(2598919, 2598920));
    }

    @Test
    void refusesBarsWithoutTags() {
        assertThatThrownBy(() -> SubscriptionData.ofTags("Orders", " || ", 1))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("subscription expression has no tag, length=4");
    }

    @Test
    void knowsExpressionsOverProperties() {
        SubscriptionData sql =
                new SubscriptionData("Orders", "*", Set.of(), Set.of(), 1, SubscriptionData.SQL92, false);

        assertThat(sql.isTag()).isFalse();
        assertThat(sql.wantsAll()).isFalse();
    }
}
