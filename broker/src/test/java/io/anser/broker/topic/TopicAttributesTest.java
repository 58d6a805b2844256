package io.anser.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.body.MalformedBodyException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicAttributesTest {
    @Test
    void changesSetAndTakeAway() {
        assertThat(TopicAttributes.changed(Optional.empty(), "+message.type=FIFO, +a=b=c,+x=1,-x"))
                .containsExactly(Map.entry("a", "b=c"), Map.entry("message.type", "FIFO"));
    }

    @Test
    void noChangesLeaveNoAttributes() {
        assertThat(TopicAttributes.changed(Optional.empty(), "")).isEmpty();
    }

    @Test
    void aChangeOfNeitherFormIsRefused() {
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), "message.type=FIFO"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("attribute change of length=17 is neither +name=value nor -name");
    }

    @Test
    void manyChangesDoNotAddUpToMoreThanOneMayBring() {
        Map<String, String> attributes = Map.of("a", "x".repeat(2000), "b", "x".repeat(2095));
        assertThatThrownBy(() -> TopicAttributes.check(attributes))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("attributes length=4097 limit=4096");
    }

    @Test
    void tooLongATextIsRefused() {
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), "+".repeat(4097)))
                .hasMessage("attributes length=4097 limit=4096");
    }
}
