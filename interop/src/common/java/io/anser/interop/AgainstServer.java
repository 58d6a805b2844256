package io.anser.interop;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a server for all of a class and clients for each of them. Classes run one after the other. */
abstract class AgainstServer {
    @TempDir
    private static Path data;

    static AnserServer server;

    Clients clients;

    @BeforeAll
    static void startServer() {
        server = AnserServer.start(data);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void openClients() {
        clients = new Clients(server);
    }

    @AfterEach
    void closeClients() {
        clients.close();
    }
}
