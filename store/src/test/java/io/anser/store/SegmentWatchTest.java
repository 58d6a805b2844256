package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Files of the log that somebody takes away under a store, other than the one that is written to. */
class SegmentWatchTest {
    private static final int SEGMENTS = 150;
    private static final int LOOKS_FOR_ALL = 3;

    private final FaultyStorage storage = new FaultyStorage();
    private final VirtualTime time = new VirtualTime();
    private final HandDriven store = HandDriven.open(storage, time);
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.anser.store.log");

    @BeforeEach
    void listen() {
        while (storage.list("log").size() < SEGMENTS) {
            store.commit(TestUnit.ofBytes(store.queue(0), 15_000));
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

    private static String segment(int number) {
        return "log/" + String.format("%020d", number * (long) HandDriven.SEGMENT_BYTES);
    }

    private void look(int times) {
        for (int look = 0; look < times; look++) {
            time.advance(Duration.ofSeconds(1));
            store.run();
        }
    }

    private List<String> misplaced() {
        return store.parts.log().misplacedFiles();
    }

    private List<String> lines(Level level) {
        return told.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 70, 146})
    void oneThatIsGoneIsToldOnceAndServedOn(int number) {
        List<String> bodies = store.bodies(0);
        storage.delete(segment(number));

        look(3 * LOOKS_FOR_ALL);

        assertThat(misplaced()).containsExactly("memory:" + segment(number));
        assertThat(lines(Level.ERROR))
                .singleElement()
                .asString()
                .contains("file=memory:" + segment(number) + ";")
                .contains("/proc/" + ProcessHandle.current().pid() + "/fd");
        TestUnit unit = TestUnit.message(store.queue(1), "goes on");
        store.commit(unit);
        assertThat(unit.isCommitted()).isTrue();
        assertThat(store.faults).isEmpty();
        assertThat(store.bodies(0)).isEqualTo(bodies);
    }

    @Test
    void oneThatWasReplacedIsToldAndOneThatWasPutBackIsNotAnyMore() throws IOException {
        storage.rename(segment(3), "elsewhere/file");
        storage.open(segment(3)).close();
        look(LOOKS_FOR_ALL);
        assertThat(misplaced()).containsExactly("memory:" + segment(3));

        storage.rename("elsewhere/file", segment(3));
        look(LOOKS_FOR_ALL);

        assertThat(misplaced()).isEmpty();
        assertThat(lines(Level.INFO)).contains("a file of the log is in its place again file=memory:" + segment(3));
        assertThat(store.faults).isEmpty();
    }

    @Test
    void oneThatExpiresIsForgotten() throws IOException {
        storage.delete(segment(0));
        storage.delete(segment(1));
        look(LOOKS_FOR_ALL);
        assertThat(misplaced()).hasSize(2);

        store.parts.log().removeBefore(HandDriven.SEGMENT_BYTES);
        look(1);

        assertThat(misplaced()).containsExactly("memory:" + segment(1));
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aDeviceThatDoesNotTellFencesNothing() {
        storage.interceptor = (operation, file) ->
                operation == Operation.IDENTIFY ? Verdict.fail(0, "injected: input/output error") : Verdict.PASS;

        look(LOOKS_FOR_ALL);
        while (storage.list("log").size() < SEGMENTS + 2) {
            TestUnit unit = TestUnit.ofBytes(store.queue(1), 15_000);
            store.commit(unit);
            assertThat(unit.isCommitted()).isTrue();
        }

        assertThat(store.faults).isEmpty();
        assertThat(misplaced()).isEmpty();
        assertThat(lines(Level.ERROR)).isEmpty();
        assertThat(lines(Level.WARN))
                .filteredOn(line -> line.startsWith("the device does not tell whether the log is in its place"))
                .hasSize(1);

        storage.interceptor = (operation, file) -> Verdict.PASS;
        storage.delete(segment(2));
        look(LOOKS_FOR_ALL);
        assertThat(misplaced()).containsExactly("memory:" + segment(2));
    }
}
