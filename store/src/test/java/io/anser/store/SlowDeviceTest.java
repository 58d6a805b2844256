package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.log.AppendSettings;
import io.anser.store.log.LogLoad;
import io.anser.store.log.LogPipeline;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What senders are told when the device, or what else they wait for, is slow. */
class SlowDeviceTest {
    private static final AppendSettings FEW = new AppendSettings(17 << 20, 16, 1 << 20);

    private final FaultyStorage storage = new FaultyStorage();
    private final VirtualTime time = new VirtualTime();

    private HandDriven open(AppendSettings appends) {
        return HandDriven.open(storage, HandDriven.settings().withAppends(appends), time);
    }

    /** From now on each operation of the kind takes so long. */
    private void slow(Operation slow, Duration each) {
        storage.interceptor = (operation, file) -> {
            if (operation == slow && file.startsWith("log/")) {
                time.advance(each);
            }
            return Verdict.PASS;
        };
    }

    @Test
    void aHandfulOfSendersIsNeverRefusedThoughEachFlushTakesThreeSeconds() {
        HandDriven store = open(AppendSettings.defaults());
        slow(Operation.FORCE, Duration.ofSeconds(3));
        List<TestUnit> sent = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            List<TestUnit> waiting = new ArrayList<>();
            for (int sender = 0; sender < 5; sender++) {
                assertThat(store.parts.pipeline().room().hasRoom(100)).isTrue();
                TestUnit unit = TestUnit.message(store.queue(0), "body");
                store.parts.pipeline().append(unit);
                store.parts.pipeline().runWriter();
                waiting.add(unit);
            }
            store.run();
            sent.addAll(waiting);
        }

        assertThat(sent).hasSize(100).allMatch(TestUnit::isCommitted);
        assertThat(store.parts.pipeline().room().load().flushMillis()).isEqualTo(3_000);
        assertThat(time.nanos()).isGreaterThanOrEqualTo(Duration.ofSeconds(60).toNanos());
    }

    @Test
    void aRefusalNamesTheDeviceAndTheFigures() {
        HandDriven store = open(FEW);
        slow(Operation.FORCE, Duration.ofMillis(1_200));
        store.commit(TestUnit.message(store.queue(0), "one"));
        for (int i = 0; i < 16; i++) {
            store.parts.pipeline().append(TestUnit.message(store.queue(0), "m"));
        }
        LogLoad full = store.parts.pipeline().room().load();

        assertThatThrownBy(() -> store.parts.pipeline().append(TestUnit.message(store.queue(0), "more")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.BUSY))
                .hasMessageContaining("the device takes 1,200 ms to flush; appends waiting=17 limit=16 bytes=")
                .hasMessageEndingWith("limit=1048576");
        assertThat(store.parts.pipeline().room().load()).isEqualTo(full);
        assertThat(full.waiting()).isEqualTo(16);
    }

    @Test
    void aFlushThatHasNotEndedCountsAlready() {
        HandDriven store = open(AppendSettings.defaults());
        LogPipeline pipeline = store.parts.pipeline();
        List<String> meanwhile = new ArrayList<>();
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.FORCE && file.startsWith("log/")) {
                time.advance(Duration.ofSeconds(40));
                meanwhile.add(pipeline.room().overload());
            }
            return Verdict.PASS;
        };
        store.commit(TestUnit.message(store.queue(0), "one"));

        assertThat(meanwhile).first().asString().startsWith("the device takes 40,000 ms to flush; appends waiting=1 ");
    }

    @Test
    void aFlushThatNobodyWaitsForIsNotToBlame() {
        HandDriven store = HandDriven.open(storage, HandDriven.settings().withDurability(Durability.MEMORY), time);
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.FORCE && file.startsWith("log/")) {
                time.advance(Duration.ofSeconds(4));
            } else if (operation == Operation.WRITE && file.startsWith("log/")) {
                time.advance(Duration.ofMillis(30));
            }
            return Verdict.PASS;
        };
        store.commit(TestUnit.message(store.queue(0), "one"));

        assertThat(store.parts.pipeline().room().load().flushMillis()).isGreaterThanOrEqualTo(4_000);
        assertThat(store.parts.pipeline().room().overload())
                .startsWith("the system takes 30 ms to take a write to the log; ");
    }

    @Test
    void aSlowWriteIsNotBlamedOnTheFlush() {
        HandDriven store = open(AppendSettings.defaults());
        slow(Operation.WRITE, Duration.ofMillis(900));
        store.commit(TestUnit.message(store.queue(0), "one"));

        assertThat(store.parts.pipeline().room().overload())
                .startsWith("the system takes 900 ms to take a write to the log; ");
    }

    @Test
    void whatAnswersSlowlyIsNotBlamedOnTheDevice() {
        HandDriven store = open(AppendSettings.defaults());
        store.commit(
                new TestUnit() {
                    @Override
                    public void committed() {
                        time.advance(Duration.ofMillis(70));
                    }
                }.and(store.queue(0), "one", ""));

        assertThat(store.parts.pipeline().room().overload())
                .startsWith("the broker takes 70 ms to index and answer a batch; ");
    }

    @Test
    void messagesLeaveRoomForStateChanges() {
        HandDriven store = open(FEW);
        int messages = 0;
        while (store.parts.pipeline().room().hasRoom(100)) {
            store.parts.pipeline().append(TestUnit.message(store.queue(0), "m"));
            messages++;
        }
        TestUnit change = TestUnit.state(1, "x");
        store.parts.pipeline().append(change);
        store.run();

        assertThat(messages).isEqualTo(14);
        assertThat(change.isCommitted()).isTrue();
        assertThat(store.parts.pipeline().room().hasRoom(100)).isTrue();
    }

    @Test
    void aMessageThatIsLargerThanAllRoomHasRoomWhereNothingWaits() {
        HandDriven store = open(FEW);
        assertThat(store.parts.pipeline().room().hasRoom(2 << 20)).isTrue();
        store.parts.pipeline().append(TestUnit.message(store.queue(0), "m"));

        assertThat(store.parts.pipeline().room().hasRoom(2 << 20)).isFalse();
        assertThat(store.parts.pipeline().room().hasRoom(100)).isTrue();
    }
}
