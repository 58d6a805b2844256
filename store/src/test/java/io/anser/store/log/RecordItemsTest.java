package io.anser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageLayout;
import io.anser.store.file.StoreException;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The walk over what a record holds. */
class RecordItemsTest {
    private static final int FIRST = 7;
    private static final long ORIGIN = 1_000;

    private final ByteBuffer bytes = ByteBuffer.allocate(400);
    private final RecordItems items = new RecordItems();

    private RecordItems over(int until) {
        return items.over(bytes, FIRST, until, ORIGIN);
    }

    private int stateChange(int at, int size) {
        bytes.putInt(at, size).putInt(at + Integer.BYTES, StateChange.MAGIC);
        return at + size;
    }

    private int message(int at, int size, long position) {
        bytes.putInt(at, size).putInt(at + Integer.BYTES, MessageLayout.MAGIC_V1);
        bytes.putLong(at + MessageLayout.PHYSICAL_OFFSET, position);
        return at + size;
    }

    @Test
    void showsOneItemBehindTheOther() {
        int second = stateChange(FIRST, StateChange.HEADER_BYTES);
        int end = message(second, 100, ORIGIN + second);

        over(end);
        assertThat(items.next()).isTrue();
        assertThat(items.isStateChange()).isTrue();
        assertThat(items.position()).isEqualTo(ORIGIN + FIRST);
        assertThat(items.bytes()).isEqualTo(StateChange.HEADER_BYTES);
        assertThat(items.next()).isTrue();
        assertThat(items.isStateChange()).isFalse();
        assertThat(items.position()).isEqualTo(ORIGIN + second);
        assertThat(items.bytes()).isEqualTo(100);
        assertThat(items.next()).isFalse();
        assertThat(items.isBroken()).isFalse();
        items.requireSound();
    }

    @Test
    void stopsWhereSomethingElseStands() {
        assertBrokenAt(FIRST, stateChange(FIRST, StateChange.HEADER_BYTES - 1) + 20);
        assertBrokenAt(FIRST, stateChange(FIRST, 100) - 1);
        assertBrokenAt(FIRST, FIRST + StateChange.HEADER_BYTES - 1);
        assertBrokenAt(FIRST, message(FIRST, 100, ORIGIN + FIRST + 1));
        assertBrokenAt(FIRST, message(FIRST, MessageLayout.MIN_MESSAGE_BYTES - 1, ORIGIN + FIRST));
        assertBrokenAt(FIRST, message(FIRST, -5, ORIGIN + FIRST) + 100);
        int second = stateChange(FIRST, 20);
        assertBrokenAt(second, stateChange(second, 0) + 30);
    }

    private void assertBrokenAt(int index, int until) {
        over(until);
        while (items.next()) {
            assertThat(items.index()).isLessThan(index);
        }
        assertThat(items.isBroken()).isTrue();
        assertThat(items.next()).isFalse();
        assertThatThrownBy(items::requireSound)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("around position=" + (ORIGIN + index));
    }

    @Test
    void aMessageWhoseLengthsDoNotFitIsTheStoresOwnError() {
        message(FIRST, 100, ORIGIN + FIRST);
        bytes.putInt(FIRST + MessageLayout.MAGIC, 1);

        assertThat(over(FIRST + 100).next()).isTrue();
        assertThatThrownBy(items::message).isInstanceOf(StoreException.class);
    }
}
