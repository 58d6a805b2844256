package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PropertyHintsTest {
    @Test
    void aPlainMessageHasNone() {
        assertThat(hints("")).isZero();
        assertThat(hints("UNIQ_KEY\u0001u\u0002TAGS\u0001MSG_REGION\u0002KEYS\u0001DELAY"))
                .isZero();
        assertThat(hints("D\u0002M\u0002T\u0002\u0002")).isZero();
    }

    @Test
    void eachRarePropertyIsSeenWhereverItStands() {
        assertThat(hints("DELAY\u00013\u0002")).isEqualTo(PropertyHints.DELIVERY);
        assertThat(hints("KEYS\u0001k\u0002TIMER_DELIVER_MS\u00013")).isEqualTo(PropertyHints.DELIVERY);
        assertThat(hints("KEYS\u0001k\u0002TIMER_DELAY_SEC\u00013\u0002A\u0001b\u0002"))
                .isEqualTo(PropertyHints.DELIVERY);
        assertThat(hints("MSG_REGION\u0001r\u0002DELAY\u00013\u0002"))
                .isEqualTo(PropertyHints.DELIVERY | PropertyHints.REGION);
        assertThat(hints("TAGS\u0001t\u0002TRAN_MSG\u0001true")).isEqualTo(PropertyHints.TRANSACTION);
        assertThat(hints("REPLY_TO_CLIENT\u0001c\u0002RETRY_TOPIC\u0001t")).isEqualTo(PropertyHints.REPLY);
        assertThat(hints("KEYS\u0001k\u0002IDEMPOTENCY_KEY\u0001i")).isEqualTo(PropertyHints.KEY);
        assertThat(hints("KEYS\u0001k\u0002INNER_MULTI_DISPATCH\u0001%LMQ%a")).isEqualTo(PropertyHints.OTHER_QUEUES);
        assertThat(hints("__LITE_TOPIC\u0001l\u0002__SHARDINGKEY\u0001s"))
                .isEqualTo(PropertyHints.OTHER_QUEUES | PropertyHints.SHARDING);
    }

    private static int hints(String properties) {
        return PropertyHints.of(properties.getBytes(UTF_8));
    }
}
