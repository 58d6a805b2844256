package io.anser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class LogTextTest {
    @Test
    void keepsOneLineOfPrintableText() {
        assertThat(LogText.of("topic-ä-订单")).isEqualTo("topic-ä-订单");
        assertThat(LogText.of("a\nb\u001b[31mred\r\u2028\u202e"))
                .isEqualTo("a\\u000ab\\u001b[31mred\\u000d\\u2028\\u202e");
    }

    @Test
    void cutsLongText() {
        assertThat(LogText.of("x".repeat(300))).isEqualTo("x".repeat(200) + "...(300 characters)");
    }

    @Test
    void putsBracketsAroundIpv6() {
        assertThat(LogText.address(new InetSocketAddress("127.0.0.1", 80))).isEqualTo("127.0.0.1:80");
        assertThat(LogText.address(new InetSocketAddress("::1", 80))).isEqualTo("[0:0:0:0:0:0:0:1]:80");
    }
}
