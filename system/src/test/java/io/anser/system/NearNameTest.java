package io.anser.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearNameTest {
    private static final List<String> KNOWN =
            List.of("brokerIP1", "store.durability", "quota.produce.bytes", "quota.produce.messages");

    @Test
    void aMistypedNameIsNear() {
        assertThat(NearName.of("store.durabilty", KNOWN)).contains("store.durability");
        assertThat(NearName.of("BROKERIP", KNOWN)).contains("brokerIP1");
        assertThat(NearName.of("quota.produce.message", KNOWN)).contains("quota.produce.messages");
        assertThat(NearName.of("qouta.produce.byte", KNOWN)).contains("quota.produce.bytes");
    }

    @Test
    void aNameWithoutItsGroupIsNear() {
        assertThat(NearName.of("durability", KNOWN)).contains("store.durability");
    }

    @Test
    void somethingElseIsNearNothing() {
        assertThat(NearName.of("weight", KNOWN)).isEmpty();
        assertThat(NearName.of("size", KNOWN)).isEmpty();
        assertThat(NearName.of("", KNOWN)).isEmpty();
        assertThat(NearName.of("store.durability".repeat(10), KNOWN)).isEmpty();
        assertThat(NearName.of("store.durability", List.of())).isEmpty();
    }

    @Test
    void theAdviceIsTheEndOfASentence() {
        assertThat(NearName.advice("durabilty", List.of("durability"))).isEqualTo("; did you mean durability?");
        assertThat(NearName.advice("size", KNOWN)).isEmpty();
    }
}
