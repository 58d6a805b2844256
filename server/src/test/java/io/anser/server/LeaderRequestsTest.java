package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each operation of a broker is either the leader's, or one that every member carries out for itself. */
class LeaderRequestsTest {
    private static final int CODE_LIMIT = 300_000;

    /** Reads, what members know of the clients that are connected to them, and the upkeep of each one's own files. */
    private static final String BY_EACH_MEMBER =
            "11, 12, 21, 26, 28, 29, 30, 31, 32, 33, 34, 35, 38, 43, 46, 201, 202, 203, 204, 208, 223, "
                    + "300, 303, 305, 306, 307, 308, 309, 315, 316, 317, 321, 328, 329, 343, 345, 351, 352, 361, 400, 402, 907, 3004, 3005, 3009, 3010, 30001";

    @TempDir
    Path data;

    @Test
    void everyOperationOfABrokerIsOneOrTheOther() {
        Settings settings = SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), List.of());
        try (ServerProcess server =
                ServerProcess.start(Role.BROKER, settings, new ListenAddress("127.0.0.1", 0), data.resolve("store"))) {
            TreeSet<Integer> handled = IntStream.range(0, CODE_LIMIT)
                    .filter(server::handles)
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(handled).containsAll(LeaderRequests.FORWARDED.leaderOnly());
            assertThat(handled).containsAll(LeaderRequests.FORWARDED.leaderFirst());
            handled.removeAll(LeaderRequests.FORWARDED.leaderOnly());
            handled.removeAll(LeaderRequests.FORWARDED.leaderFirst());
            assertThat(handled.toString()).isEqualTo("[" + BY_EACH_MEMBER + "]");
        }
    }
}
