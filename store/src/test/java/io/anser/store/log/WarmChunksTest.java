package io.anser.store.log;

import static io.anser.store.log.WarmChunks.CHUNK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WarmChunksTest {
    private static final int SEGMENT_BYTES = 4 * CHUNK_BYTES + 1000;

    private final VirtualTime time = new VirtualTime();
    private final List<Long> asked = new ArrayList<>();
    private long coldFrom = Long.MAX_VALUE;
    private WarmChunks chunks;

    @BeforeEach
    void open() throws IOException {
        FaultyStorage storage = new FaultyStorage();
        storage.mappedBytesMax = SEGMENT_BYTES;
        CommitLog log = CommitLog.open(storage, SEGMENT_BYTES);
        chunks = new WarmChunks(log, this::isInMemory, time);
    }

    private boolean isInMemory(long position, int bytes) {
        asked.add(position);
        return position + bytes <= coldFrom;
    }

    @Test
    void systemIsAskedOnceForAllMessagesOfAChunk() {
        for (int position = 0; position + 1000 <= CHUNK_BYTES; position += 1000) {
            assertThat(chunks.hold(position, 1000)).isTrue();
        }

        assertThat(asked).containsExactly(0L);
    }

    @Test
    void answerServesForAMomentOnly() {
        chunks.hold(0, 1000);
        coldFrom = 0;

        time.advance(Duration.ofNanos(WarmChunks.FRESH_NANOS - 1));
        boolean inTime = chunks.hold(0, 1000);
        time.advance(Duration.ofNanos(1));

        assertThat(inTime).isTrue();
        assertThat(chunks.hold(0, 1000)).isFalse();
    }

    @Test
    void messageOnTheBorderOfTwoChunksNeedsBoth() {
        coldFrom = CHUNK_BYTES;

        assertThat(chunks.hold(0, 1000)).isTrue();
        assertThat(chunks.hold(CHUNK_BYTES - 500, 1000)).isFalse();
    }

    @Test
    void messageInAChunkThatIsPartlyInMemoryIsAskedForByItself() {
        coldFrom = 2000;

        assertThat(chunks.hold(0, 1000)).isTrue();
        assertThat(chunks.hold(1500, 1000)).isFalse();
    }

    @Test
    void messageInTheChunkThatASegmentCutsShortIsAskedForByItself() {
        assertThat(chunks.hold(4L * CHUNK_BYTES, 1000)).isTrue();
        assertThat(chunks.hold(4L * CHUNK_BYTES + 500, 1000)).isFalse();
        assertThat(asked).containsExactly(4L * CHUNK_BYTES);
    }

    @Test
    void chunksThatShareAPlaceAreNotMixedUp() {
        long far = 4096L * CHUNK_BYTES;
        coldFrom = far;

        assertThat(chunks.hold(0, 1000)).isTrue();
        assertThat(chunks.hold(far, 1000)).isFalse();
    }
}
