package io.anser.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.body.MalformedBodyException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicAttributesTest {
    @Test
    void changesSetAndTakeAway() {
        assertThat(TopicAttributes.changed(Optional.empty(), "+message.type=FIFO, +a=b=c,-x"))
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
                .hasMessage("attribute change message.type=FIFO is neither +name=value nor -name");
    }

    @Test
    void anAttributeThatIsNamedTwiceIsRefused() {
        for (String twice : List.of("+a=1,+a=2", "+a=1,-a", "-a,+b=1,-a")) {
            assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), twice))
                    .isInstanceOf(MalformedBodyException.class)
                    .hasMessage("attribute a is changed twice");
        }
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), Map.of("+a", "1", "-a", "")))
                .hasMessage("attribute a is changed twice");
    }

    @Test
    void manyChangesDoNotAddUpToMoreThanOneMayBring() {
        Map<String, String> attributes = Map.of("a", "x".repeat(2000), "b", "x".repeat(2095));
        assertThatThrownBy(() -> TopicAttributes.check(attributes))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("attributes length=4097 limit=4096");
    }

    /** It would limit nothing, and nobody would notice. */
    @Test
    void aNameThatIsNearlyOneOfOursIsRefusedWithTheRightOne() {
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), "+quota.produce.byte=10MiB"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("unknown attribute quota.produce.byte; did you mean quota.produce.bytes?");
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), Map.of("+dedup.windw", "10s")))
                .hasMessage("unknown attribute dedup.windw; did you mean dedup.window?");
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), "+Quota.of.something.else=1"))
                .hasMessage("unknown attribute Quota.of.something.else");
    }

    @Test
    void anAttributeThatMeansNothingHereIsKept() {
        String apaches = "+queue.type=SimpleCQ,+lite.expiration=900,+priority.factor=100";
        assertThat(TopicAttributes.changed(Optional.empty(), apaches))
                .containsOnlyKeys("queue.type", "lite.expiration", "priority.factor");
    }

    /** Its name is wrong already; taking it away must be possible. */
    @Test
    void anAttributeThatIsNearlyOneOfOursCanBeTakenAway() {
        assertThat(TopicAttributes.changed(Optional.empty(), "-quota.produce.byte"))
                .isEmpty();
    }

    @Test
    void aGroupHasNoQuota() {
        assertThat(TopicAttributes.problemOfGroup(Map.of("+quota.consume.bytes", "1"))
                        .orElse(""))
                .startsWith("unknown attribute +quota.consume.bytes: a group has no quota;");
        assertThat(TopicAttributes.problemOfGroup(Map.of("+priority.factor", "1")))
                .isEmpty();
    }

    @Test
    void tooLongATextIsRefused() {
        assertThatThrownBy(() -> TopicAttributes.changed(Optional.empty(), "+".repeat(4097)))
                .hasMessage("attributes length=4097 limit=4096");
    }
}
