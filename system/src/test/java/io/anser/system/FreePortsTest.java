package io.anser.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    /** From here on Linux takes the local ports of connections, which could be taken before somebody listens. */
    private static final int FOR_CONNECTIONS = 32_768;

    @Test
    void aRowIsFreeAndKeptFromConnections() throws IOException {
        int first = FreePorts.row(3);

        List<ServerSocket> listening = new ArrayList<>();
        for (int port = first; port < first + 3; port++) {
            listening.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        }
        assertThat(first + 2).isLessThan(FOR_CONNECTIONS);
        for (ServerSocket socket : listening) {
            socket.close();
        }
    }

    @Test
    void noPortIsGivenTwice() throws IOException {
        int first = FreePorts.row(2);

        assertThat(FreePorts.row(2)).isNotIn(first - 1, first, first + 1);
    }
}
