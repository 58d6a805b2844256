package io.anser.store.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which life of a topic a message belongs to, while drops are placed and taken back. */
class QueueRegistryTest {
    private static final int ROUNDS = 300_000;
    private static final long DROP = 100;
    private static final long BEFORE = 50;

    private QueueRegistry registry;

    @BeforeEach
    void open() throws IOException {
        registry = new QueueRegistry(PageFile.open(new FaultyStorage(), 1 << 20, 0), (position, size) -> 0);
    }

    @Test
    void aMessageBelongsToItsLifeWhileADropIsPlacedAndTakenBack() {
        QueueLog own = registry.queue("T", 0);
        CompletableFuture<Void> appending = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                registry.placeDrop("T", DROP);
                registry.queue("T", 0);
                registry.takeBackDrop("T", DROP);
            }
        });
        int others = 0;
        while (!appending.isDone()) {
            others += registry.queueAt("T", 0, BEFORE) == own ? 0 : 1;
        }
        appending.join();

        assertThat(others).as("messages in another life than their own").isZero();
        assertThat(registry.queue("T", 0)).isSameAs(own);
    }

    @Test
    void aCutDropOfATopicWithoutQueuesLeavesTheDropBeforeIt() {
        QueueLog first = registry.queue("T", 0);
        registry.placeDrop("T", DROP);
        registry.placeDrop("T", 2 * DROP);
        registry.takeBackDrop("T", 2 * DROP);

        QueueLog second = registry.queue("T", 0);

        assertThat(second.sincePosition()).isEqualTo(DROP);
        assertThat(registry.queueAt("T", 0, BEFORE)).isSameAs(first);
        assertThat(registry.queueAt("T", 0, DROP + 1)).isSameAs(second);
        registry.takeBackDrop("T", DROP);
        assertThat(registry.queue("T", 0)).isSameAs(first);
        assertThat(first.sincePosition()).isZero();
    }
}
