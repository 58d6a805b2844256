package io.anser.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.BrokerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HalfReadsTest {
    private static final int WARM = 1_000;

    private final BrokerState state = new BrokerState(List.of());
    private final List<String> ran = new ArrayList<>();
    private final List<Runnable> workers = new ArrayList<>();
    private boolean busy;
    private final HalfReads reads = new HalfReads(state.transactions(), position -> position >= WARM, task -> {
        if (busy) {
            throw new RejectedExecutionException("the test's workers are busy");
        }
        workers.add(task);
    });

    /** Open transactions at two positions, as a snapshot has them. */
    @BeforeEach
    void open() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(1);
        out.writeInt(2);
        for (long id : new long[] {7, WARM}) {
            out.writeLong(id);
            out.writeLong(0);
            out.writeLong(id);
            out.writeLong(0);
            out.writeInt(-1);
            out.writeInt(0);
            out.writeLong(0);
        }
        out.writeInt(0);
        out.writeLong(0);
        out.writeInt(0);
        state.sections().stream()
                .filter(section -> section.name().equals("transactions"))
                .findFirst()
                .orElseThrow()
                .reader()
                .read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(state.transactions().size()).isEqualTo(2);
    }

    @Test
    void whatIsInMemoryIsReadAtOnce() {
        run(WARM);

        assertThat(ran).containsExactly("task");
        assertThat(workers).isEmpty();
    }

    @Test
    void whatMayNotBeInMemoryIsReadByAWorker() {
        run(7);
        assertThat(ran).isEmpty();

        workers.get(0).run();

        assertThat(ran).containsExactly("task");
    }

    @Test
    void busyWorkersAreTold() {
        busy = true;

        run(7);

        assertThat(ran).containsExactly("busy");
    }

    @Test
    void forAnUnknownTransactionNothingIsRead() {
        run(8);

        assertThat(ran).containsExactly("task");
    }

    private void run(long id) {
        reads.run(id, () -> ran.add("task"), () -> ran.add("busy"));
    }
}
