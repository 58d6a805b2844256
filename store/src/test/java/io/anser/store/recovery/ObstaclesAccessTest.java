package io.anser.store.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a process may not do to the files of its store, whoever runs the test. */
class ObstaclesAccessTest {
    private static final List<String> FILES = List.of(
            "index/queue-pages-0000000000",
            "index/keys-00000000000000000000-00000000000000000100",
            "index/keys-new",
            "snapshot/00000000000000000100",
            "snapshot/new",
            "log/00000000000000000000");

    @TempDir
    private Path store;

    private final Set<Path> forbidden = new HashSet<>();
    private boolean fixed;

    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Obstacles.class);

    @BeforeEach
    void makeFiles() throws IOException {
        for (String file : FILES) {
            Files.createDirectories(store.resolve(file).getParent());
            Files.writeString(store.resolve(file), file);
        }
        told.start();
        logger.addAppender(told);
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(told);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    private final Obstacles obstacles = new Obstacles(new Obstacles.FileAccess() {
        @Override
        public boolean mayUse(Path file) {
            return !forbidden.contains(file);
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            if (fixed) {
                throw new IOException("Read-only file system");
            }
            Files.move(from, to);
        }
    });

    private List<String> present() throws IOException {
        try (Stream<Path> all = Files.walk(store)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> store.relativize(file).toString())
                    .toList();
        }
    }

    @Test
    void filesThatMayBeUsedStayWhereTheyAre() throws IOException {
        obstacles.setAsideAll(store);

        assertThat(present()).containsExactlyInAnyOrderElementsOf(FILES);
        assertThat(told.list).isEmpty();
    }

    @Test
    void whatCanBeMadeAgainIsSetAsideWhenItMayNotBeUsedAndNothingElseIs() throws IOException {
        FILES.forEach(file -> forbidden.add(store.resolve(file)));

        obstacles.setAsideAll(store);

        assertThat(present())
                .containsExactlyInAnyOrder(
                        "index/queue-pages-0000000000.aside",
                        "index/keys-00000000000000000000-00000000000000000100.aside",
                        "index/keys-new.aside",
                        "snapshot/00000000000000000100",
                        "snapshot/new.aside",
                        "log/00000000000000000000");
        assertThat(told.list).hasSize(4);
    }

    @Test
    void nothingIsSaidToBeSetAsideThatCouldNotBe() throws IOException {
        forbidden.add(store.resolve("index/keys-new"));
        fixed = true;

        assertThatThrownBy(() -> obstacles.setAsideAll(store))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be set aside: " + store.resolve("index/keys-new"))
                .hasMessageContaining("Read-only file system");

        assertThat(present()).containsExactlyInAnyOrderElementsOf(FILES);
        assertThat(told.list).isEmpty();
    }
}
