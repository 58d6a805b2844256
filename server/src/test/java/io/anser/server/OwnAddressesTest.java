package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnAddressesTest {
    @Test
    void aProcessIsWhereItListens() {
        OwnAddresses own = OwnAddresses.of(new ListenAddress("127.0.0.1", 7000), "");

        assertThat(own.has("127.0.0.1:7000")).isTrue();
        assertThat(own.has("LOCALHOST:7000")).isTrue();
        assertThat(own.has("127.0.0.1:7001")).isFalse();
        assertThat(own.has("127.0.0.2:7000")).isFalse();
        assertThat(own.has("7000")).isFalse();
        assertThat(own.has("")).isFalse();
    }

    @Test
    void anIpv6AddressIsTheSameHoweverItIsWritten() {
        OwnAddresses own = OwnAddresses.of(new ListenAddress("::1", 7000), "");

        assertThat(own.has("[::1]:7000")).isTrue();
        assertThat(own.has("[0:0:0:0:0:0:0:1]:7000")).isTrue();
        assertThat(own.has("[::2]:7000")).isFalse();
    }

    @Test
    void whoListensEverywhereHasTheAddressesOfTheMachine() {
        OwnAddresses own = OwnAddresses.of(new ListenAddress("0.0.0.0", 7000), "");

        assertThat(own.has("127.0.0.1:7000")).isTrue();
        assertThat(own.has("192.0.2.1:7000")).isFalse(); // set apart for documents
    }

    @Test
    void whatAnOperatorGaveCountsWithItsPortOrThatOfTheListener() {
        OwnAddresses own =
                OwnAddresses.of(new ListenAddress("127.0.0.1", 7000), "", "Broker.example:80", "other.example");

        assertThat(own.has("broker.example:80")).isTrue();
        assertThat(own.has("other.example:7000")).isTrue();
        assertThat(own.has("other.example:80")).isFalse();
        assertThat(own.has("broker.example:7000")).isFalse();
    }

    @Test
    void anyPortCountsBeforeOneIsTaken() {
        assertThat(OwnAddresses.of(new ListenAddress("127.0.0.1", 0), "").has("127.0.0.1:7000"))
                .isTrue();
    }
}
