package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.OpenedStore;
import io.anser.store.queue.QueueLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients know, and therefore what must be true of the store after every start:
 *
 * <ul>
 *   <li>the log holds all that was there at the last start, then a prefix of the units of the time since, each whole, in the
 *       order in which they were handed over: nothing else, nothing twice, nothing that was refused;
 *   <li>every unit that was acknowledged or seen by a reader is among them, at the same offsets and positions. Only a power
 *       loss at durability memory may take such units, the youngest first, and none that had been forced;
 *   <li>queue offsets count from 0 without a gap, log positions rise, store times never fall;
 *   <li>the queue index leads to exactly the messages of the log, also where they are listed in further queues.
 * </ul>
 */
final class Ledger {
    /** The log's items as of the last start that was checked. */
    private List<Applied> settled = List.of();

    /** Where the first item of a settled unit is. */
    private final Map<Integer, Integer> settledUnits = new HashMap<>();

    /** Units of the time since, in the order in which the log takes them. */
    private final List<SimulatedUnit> recent = new ArrayList<>();

    private final Map<Integer, SimulatedUnit> recentByNumber = new HashMap<>();

    /** Before this log position nothing may ever be lost. */
    private long safeUntil;

    /** Whether younger promises may have been broken since the last check. */
    private boolean mayLose;

    /** A unit was taken in by the log. */
    void handedOver(SimulatedUnit unit) {
        recent.add(unit);
        recentByNumber.put(unit.number, unit);
    }

    /** A client hears that its unit is stored. */
    void acknowledged(SimulatedUnit unit, OpenedStore store) {
        int last = unit.items() - 1;
        assertThat(store.fence().isClosed())
                .as("acknowledged behind a closed fence")
                .isFalse();
        assertThat(store.marks().committed())
                .as("committed position when unit %d is acknowledged", unit.number)
                .isGreaterThanOrEqualTo(unit.position(last) + unit.bytes(last));
    }

    /** A reader sees a message: it counts as promised, and is the one that the client knows by that place. */
    void seen(Applied applied) {
        Integer at = settledUnits.get(applied.unit());
        if (at != null) {
            assertThat(settledItem(at, applied.item())).as("a message seen").isEqualTo(applied);
        } else {
            SimulatedUnit unit = recentByNumber.get(applied.unit());
            assertThat(unit).as("the unit of a message seen: %s", applied).isNotNull();
            checkItem(unit, applied.item(), applied);
            unit.promised = true;
        }
    }

    private Applied settledItem(int unitAt, int item) {
        int at = unitAt;
        while (settled.get(at).item() != item) {
            at++;
        }
        return settled.get(at);
    }

    /** The store is closing cleanly: every client must have heard of its unit. */
    void checkOutcomes() {
        for (SimulatedUnit unit : recent) {
            assertThat(unit.hasOutcome()).as("outcome of unit %d", unit.number).isTrue();
        }
    }

    /** The machine has stopped. What is forced is safe; at durability memory a power loss takes what is not. */
    void crashed(long forcedPosition, boolean powerLostAtMemory) {
        safeUntil = Math.max(safeUntil, forcedPosition);
        mayLose |= powerLostAtMemory;
    }

    /** Compares a store that has just been opened with all that is known, and settles what was in doubt. */
    void check(OpenedStore store, List<Applied> applied, Readout readout) {
        int kept = checkSettled(applied);
        checkRecent(applied, kept);
        checkOrder(applied);
        checkIndex(store, applied, readout);
        settle(applied, store.marks().committed());
    }

    private int checkSettled(List<Applied> applied) {
        int kept = Math.min(settled.size(), applied.size());
        assertThat(applied.subList(0, kept))
                .as("the log up to the start before")
                .isEqualTo(settled.subList(0, kept));
        if (kept < settled.size()) {
            assertThat(mayLose).as("the log lacks %s", settled.get(kept)).isTrue();
            assertThat(settled.get(kept).position())
                    .as("the log lacks %s, which was forced", settled.get(kept))
                    .isGreaterThanOrEqualTo(safeUntil);
            assertThat(kept == 0
                            || settled.get(kept).unit() != settled.get(kept - 1).unit())
                    .as("half a unit is left: %s", settled.get(kept))
                    .isTrue();
        }
        return kept;
    }

    private void checkRecent(List<Applied> applied, int from) {
        int at = from;
        SimulatedUnit lost = null;
        for (SimulatedUnit unit : recent) {
            if (at < applied.size() && applied.get(at).unit() == unit.number) {
                assertThat(lost)
                        .as("a unit that is missing before unit %d", unit.number)
                        .isNull();
                assertThat(unit.isRefused())
                        .as("unit %d was refused (%s), and is there", unit.number, unit.failure)
                        .isFalse();
                for (int item = 0; item < unit.items(); item++) {
                    if (!unit.isApplied(item)) {
                        continue;
                    }
                    assertThat(applied.size())
                            .as("items; unit %d is cut", unit.number)
                            .isGreaterThan(at);
                    checkItem(unit, item, applied.get(at++));
                }
            } else if (!unit.isRefused() && !unit.isLeftOut()) {
                lost = lost == null ? unit : lost;
                checkMayBeLost(unit);
            }
        }
        assertThat(at)
                .as("items that nobody appended: %s", applied.subList(at, applied.size()))
                .isEqualTo(applied.size());
    }

    private void checkMayBeLost(SimulatedUnit unit) {
        if (unit.promised) {
            assertThat(mayLose)
                    .as("unit %d was promised and is lost", unit.number)
                    .isTrue();
            assertThat(unit.position(0))
                    .as("unit %d was promised and forced, and is lost", unit.number)
                    .isGreaterThanOrEqualTo(safeUntil);
        }
    }

    private static void checkItem(SimulatedUnit unit, int item, Applied applied) {
        QueueLog queue = unit.queue(item);
        assertThat(applied.unit()).isEqualTo(unit.number);
        assertThat(applied.item()).isEqualTo(item);
        assertThat(applied.filling())
                .as("size of %s", applied)
                .isEqualTo(unit.text(item).length() - unit.text(item).indexOf(':') - 1);
        assertThat(applied.queue()).isEqualTo(queue == null ? "" : queue.toString());
        if (unit.promised) {
            assertThat(applied.position()).as("position of %s", applied).isEqualTo(unit.position(item));
            assertThat(applied.offset())
                    .as("offset of %s", applied)
                    .isEqualTo(queue == null ? -1 : unit.queueOffset(item));
        }
    }

    private static void checkOrder(List<Applied> applied) {
        Map<String, Long> next = new HashMap<>();
        long position = -1;
        long time = 0;
        for (Applied item : applied) {
            assertThat(item.position()).as("position of %s", item).isGreaterThan(position);
            position = item.position();
            if (item.isMessage()) {
                assertThat(item.storeTimestamp()).as("store time of %s", item).isGreaterThanOrEqualTo(time);
                time = item.storeTimestamp();
                long expected = next.merge(item.queue(), 1L, Long::sum) - 1;
                assertThat(item.offset()).as("offset of %s", item).isEqualTo(expected);
            } else if (!item.drops().isEmpty()) {
                next.keySet().removeIf(queue -> queue.startsWith(item.drops() + "/"));
            }
        }
    }

    /** Each queue has the messages of its topic since the last drop, without those that have expired. */
    private void checkIndex(OpenedStore store, List<Applied> applied, Readout readout) {
        Map<String, List<Applied>> expected = new HashMap<>();
        for (Applied item : applied) {
            assertThat(item.position())
                    .as("an applied item, against the committed position")
                    .isLessThan(store.marks().committed());
            if (item.isMessage()) {
                expected.computeIfAbsent(item.queue(), any -> new ArrayList<>()).add(item);
                Applied.listedIn(item.unit())
                        .forEach(topic -> expected.computeIfAbsent(topic + "/0", any -> new ArrayList<>())
                                .add(item));
            } else if (!item.drops().isEmpty()) {
                expected.keySet().removeIf(queue -> queue.startsWith(item.drops() + "/"));
            }
        }
        assertThat(readout.queues().keySet()).as("queues with messages").isEqualTo(expected.keySet());
        readout.queues().forEach((queue, content) -> {
            List<Applied> all = expected.get(queue);
            assertThat(content.maxOffset()).as("end of %s", queue).isEqualTo(all.size());
            assertThat(content.messages())
                    .as("messages of %s from offset %d on", queue, content.minOffset())
                    .isEqualTo(all.subList((int) content.minOffset(), all.size()));
        });
    }

    /** What a start found is readable from then on, so it is as good as acknowledged, and forced. */
    private void settle(List<Applied> applied, long recoveredUntil) {
        settled = List.copyOf(applied);
        settledUnits.clear();
        for (int at = settled.size() - 1; at >= 0; at--) {
            settledUnits.put(settled.get(at).unit(), at);
        }
        recent.clear();
        recentByNumber.clear();
        safeUntil = recoveredUntil;
        mayLose = false;
    }
}
