package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.anser.broker.metadata.Change.KeyTaken;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A table as it was when it was held, at a price that does not grow with it. */
class HeldElementsTest {
    private static final int MANY = 200_000;
    private static final long HOLD_BYTES_MAX = 100_000;

    /** What takes hold of a table. */
    private interface Hold {
        Object take() throws IOException;
    }

    @Test
    void everyHoldShowsWhatWasThereThenWhateverComesAndGoesLater() {
        Random random = new Random(1);
        HeldElements<PendingTimer> elements = new HeldElements<>();
        List<PendingTimer> present = new ArrayList<>();
        Map<Supplier<List<PendingTimer>>, List<PendingTimer>> holds = new LinkedHashMap<>();
        for (int step = 0; step < 30_000; step++) {
            if (present.isEmpty() || random.nextInt(5) > 1) {
                PendingTimer timer = new PendingTimer(step / 100, step);
                present.add(timer);
                elements.add(timer);
            } else {
                PendingTimer last = present.remove(present.size() - 1);
                int at = random.nextInt(present.size() + 1);
                elements.remove(at == present.size() ? last : present.set(at, last));
            }
            if (step % 1_000 == 0) {
                holds.put(elements.hold(Comparator.naturalOrder()), List.copyOf(new TreeSet<>(present)));
            }
        }
        assertThat(holds).hasSize(30);
        holds.forEach((held, expected) -> assertThat(held.get()).isEqualTo(expected));

        elements.clear();
        assertThat(elements.hold(Comparator.naturalOrder()).get()).isEmpty();
    }

    /** The committing thread stands still meanwhile. */
    @Test
    void theHoldOfATableWithManyEntriesCopiesNoEntry() throws IOException {
        DedupTable keys = new DedupTable();
        TransactionTable transactions = new TransactionTable();
        TimerTable timers = new TimerTable();
        for (int i = 1; i <= MANY; i++) {
            keys.apply(new KeyTaken(new DedupKey(1, i), 0, 1_000), i);
            keys.message(i, i, i / 1_000, false);
            transactions.add(OpenTransaction.of(i, i, i, 0));
            timers.add(new PendingTimer(i / 100, i));
        }
        assertThat(keys.size()).isEqualTo(MANY);

        for (Hold table : List.<Hold>of(keys::hold, transactions::hold, timers::hold)) {
            assertThat(allocatedBy(table)).isLessThan(HOLD_BYTES_MAX);
        }
    }

    private static long allocatedBy(Hold table) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        Object held = table.take();
        long allocated = threads.getThreadAllocatedBytes(id) - before;
        assertThat(held).isNotNull();
        return allocated;
    }
}
