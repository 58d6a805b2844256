package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void writesItsPropertiesInTheWireForm() {
        Message message = Message.to("orders")
                .key("o-17")
                .key("c-3")
                .tag("new")
                .property("colour", "blue")
                .orderKey("o-17")
                .delayLevel(3)
                .text("hi");

        assertThat(new String(PropertyText.of(message, "ID1"), StandardCharsets.UTF_8))
                .isEqualTo("UNIQ_KEY\u0001ID1\u0002KEYS\u0001o-17 c-3\u0002TAGS\u0001new\u0002"
                        + "__SHARDINGKEY\u0001o-17\u0002DELAY\u00013\u0002colour\u0001blue\u0002");
    }

    @Test
    void leavesTheMessageItWasMadeFromAsItWas() {
        Message plain = Message.to("orders").text("hi");

        Message tagged = plain.tag("new");

        assertThat(plain.tag()).isEmpty();
        assertThat(tagged.tag()).isEqualTo("new");
        assertThat(tagged.bodyBytes()).isEqualTo(2);
    }

    @Test
    void copiesTheBytesItIsGiven() {
        byte[] bytes = {1, 2, 3};
        Message message = Message.to("orders").bytes(bytes);

        bytes[0] = 9;

        assertThat(message.body()).containsExactly(1, 2, 3);
    }

    @Test
    void roundsADelayUpToTheBrokersNextOne() {
        assertThat(Message.to("t").delay(Duration.ofSeconds(10)).delayLevel()).isEqualTo(3);
        assertThat(Message.to("t").delay(Duration.ofSeconds(11)).delayLevel()).isEqualTo(4);
        assertThat(Message.to("t").delay(Duration.ofHours(2)).delayLevel()).isEqualTo(18);
        assertThat(Message.to("t").delay(Duration.ZERO).delayLevel()).isZero();
    }

    @Test
    void refusesADelayThatNoBrokerKeeps() {
        assertThatThrownBy(() -> Message.to("t").delay(Duration.ofHours(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay PT3H is longer than the limit of 2 hours");
    }

    @Test
    void refusesATopicThatIsNoName() {
        assertThatThrownBy(() -> Message.to("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic has the character U+0020 at index 1");
    }

    @Test
    void refusesPropertiesThatBelongToTheBroker() {
        assertThatThrownBy(() -> Message.to("t").property("REAL_TOPIC", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property name REAL_TOPIC belongs to the broker");
    }

    @Test
    void refusesAValueThatWouldForgeAProperty() {
        assertThatThrownBy(() -> Message.to("t").property("a", "x\u0002TAGS\u0001y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value of property a holds the control character 1 or 2");
    }

    @Test
    void refusesMorePropertiesThanAMessageHolds() {
        Message message = Message.to("t").property("a", "x".repeat(32_800));

        assertThatThrownBy(() -> PropertyText.of(message, "ID"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("properties are 32815 bytes long; the limit is 32767");
    }

    @Test
    void refusesABodyLargerThanABrokerTakes() {
        Message message = Message.to("t").bytes(new byte[(4 << 20) + 1]);

        assertThatThrownBy(() -> Parcel.of(message, "ID", 0, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("body is 4194305 bytes long; the limit is 4194304");
    }
}
