package io.anser.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is remembered of where entries lie. */
class EntryPlacesTest {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int ENTRY_BYTES = 10_000;
    private static final int ENTRIES = 50;

    private CommitLog log;
    private LogTail tail;
    private long committed;
    private EntryPlaces places;

    @BeforeEach
    void open() throws IOException {
        log = CommitLog.open(new FaultyStorage(), SEGMENT_BYTES);
        tail = new LogTail(log, LogPoint.START, () -> 0, new VirtualTime(), ByteBuffer::allocate);
        places = new EntryPlaces(log, () -> committed);
        for (int entry = 0; entry < ENTRIES; entry++) {
            append(1, ENTRY_BYTES);
        }
    }

    private void append(long term, int bytes) throws IOException {
        tail.openEntry(term, bytes);
        tail.buffer().put(new byte[bytes]);
        tail.closeEntry(LogRecord.CONTROL);
        tail.write();
        tail.settle();
    }

    @Test
    void aCommittedEntryIsFoundFromNearOnTheNextTime() {
        committed = tail.position();

        long first = places.find(ENTRIES);

        assertThat(places.remembered()).isEqualTo(1);
        assertThat(places.find(ENTRIES)).isEqualTo(first).isPositive();
        assertThat(places.find(ENTRIES - 1)).isEqualTo(first - ENTRY_BYTES - LogRecord.HEADER_BYTES);
        assertThat(places.find(ENTRIES + 1)).isEqualTo(EntryPlaces.NONE);
    }

    /** A hundred gibibytes with a place in each 64 KiB were 1.6 million. */
    @Test
    void aLongLogTakesLittleMemory() {
        for (long index = 1; index <= 100_000; index++) {
            places.note(index, index << 16);
        }

        assertThat(places.remembered()).isBetween(1_024, 1_024 + 100_000 / 64 + 1);
        places.forgetBehind(99_000);
        for (long index = 99_001; index <= 200_000; index++) {
            places.note(index, index << 16);
        }
        assertThat(places.remembered()).isBetween(1_024, 1_024 + 200_000 / 64 + 2);
    }

    /** Whoever finds an entry may be about to remember it when it is cut and forgotten. */
    @Test
    void anEntryThatMayBeCutIsNotRememberedByThoseWhoFindIt() {
        assertThat(places.find(ENTRIES)).isPositive();

        assertThat(places.remembered()).isZero();
    }
}
