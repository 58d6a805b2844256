package io.anser.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KvConfigTest {
    private final KvConfig config = new KvConfig(2);

    @Test
    void keepsValuesByNamespaceAndKey() {
        config.put("a", "k", "1");
        config.put("b", "k", "2");
        assertThat(config.get("a", "k")).contains("1");
        assertThat(config.get("b", "k")).contains("2");
        assertThat(config.get("a", "x")).isEmpty();
        assertThat(config.namespace("a")).containsOnlyKeys("k");
        assertThat(config.namespace("c")).isEmpty();
    }

    @Test
    void hasRoomForALimitedNumberOfEntries() {
        assertThat(config.put("a", "k", "1")).isTrue();
        assertThat(config.put("b", "k", "2")).isTrue();
        assertThat(config.put("c", "k", "3")).isFalse();
        assertThat(config.put("a", "k", "changed")).isTrue();
        config.delete("b", "k");
        config.delete("b", "k");
        assertThat(config.put("c", "k", "3")).isTrue();
        assertThat(config.get("a", "k")).contains("changed");
    }
}
