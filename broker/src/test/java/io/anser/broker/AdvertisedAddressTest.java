package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AdvertisedAddressTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 9876);

    @Test
    void withoutASettingTheListenersAddressIsTold() {
        assertThat(AdvertisedAddress.of("", LOOPBACK).text()).isEqualTo("127.0.0.1:9876");
        assertThat(AdvertisedAddress.of("", new InetSocketAddress("::1", 5)).text())
                .isEqualTo("[0:0:0:0:0:0:0:1]:5");
    }

    @Test
    void aListenerOnAllAddressesTellsOneThatCanBeReached() {
        AdvertisedAddress told = AdvertisedAddress.of("", new InetSocketAddress("0.0.0.0", 9876));

        assertThat(told.address().getAddress().isAnyLocalAddress()).isFalse();
        assertThat(told.address().getPort()).isEqualTo(9876);
    }

    @Test
    void theSettingMayNameThePort() {
        assertThat(AdvertisedAddress.of("10.1.2.3", LOOPBACK).text()).isEqualTo("10.1.2.3:9876");
        assertThat(AdvertisedAddress.of("10.1.2.3:19876", LOOPBACK).text()).isEqualTo("10.1.2.3:19876");
        assertThat(AdvertisedAddress.of("[::1]:7", LOOPBACK).text()).isEqualTo("[::1]:7");
        assertThat(AdvertisedAddress.of("::1", LOOPBACK).text()).isEqualTo("[::1]:9876");
        assertThat(AdvertisedAddress.of("[::1]", LOOPBACK).text()).isEqualTo("[::1]:9876");
    }

    @Test
    void aPortThatIsNoneIsRefusedWithTheSetting() {
        assertThatThrownBy(() -> AdvertisedAddress.of("10.1.2.3:0", LOOPBACK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broker.advertise=10.1.2.3:0: expected host:port");
    }
}
