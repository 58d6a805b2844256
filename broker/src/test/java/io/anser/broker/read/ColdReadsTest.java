package io.anser.broker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ColdReadsTest {
    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private final List<Integer> read = new ArrayList<>();
    private final List<StoreException.Kind> refused = new ArrayList<>();
    private final ColdReads coldReads = new ColdReads(handedOver::add);

    @Test
    void fewRunAtOnceAndTheOthersWaitForThem() {
        for (int i = 0; i < 5; i++) {
            coldReads.add(new Numbered(i));
        }
        assertThat(handedOver).hasSize(Math.min(5, ColdReads.RUNNING_MAX));

        while (!handedOver.isEmpty()) {
            handedOver.remove().run();
            assertThat(handedOver.size()).isLessThanOrEqualTo(ColdReads.RUNNING_MAX);
        }

        assertThat(read).containsExactly(0, 1, 2, 3, 4);
        coldReads.add(new Numbered(5));
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void allAreRefusedWhereThePoolTakesNothing() {
        ColdReads busy = new ColdReads(task -> {
            throw new RejectedExecutionException();
        });

        busy.add(new Numbered(0));
        busy.add(new Numbered(1));

        assertThat(refused).containsExactly(StoreException.Kind.BUSY, StoreException.Kind.BUSY);
    }

    @Test
    void thoseAreRefusedThatWouldBeTooManyToWait() {
        for (int i = 0; i <= ColdReads.WAITING_MAX; i++) {
            coldReads.add(new Numbered(i));
        }

        assertThat(refused).containsExactly(StoreException.Kind.BUSY);
    }

    @Test
    void aConnectionWithManyReadsLetsTheOthersHaveTheirTurn() {
        for (int i = 0; i < 4; i++) {
            coldReads.add(new Numbered("many", i));
        }
        coldReads.add(new Numbered("other", 10));
        coldReads.add(new Numbered("third", 20));
        coldReads.add(new Numbered("other", 11));

        while (!handedOver.isEmpty()) {
            handedOver.remove().run();
        }

        assertThat(read).containsExactly(0, 10, 20, 1, 11, 2, 3);
    }

    @Test
    void whoHasManyReadsWaitingKeepsNobodyElseOut() {
        for (int i = 0; i <= ColdReads.WAITING_MAX; i++) {
            coldReads.add(new Numbered("many", i));
        }
        assertThat(refused).hasSize(1);
        coldReads.add(new Numbered("other", 0));
        assertThat(refused).hasSize(1);
        coldReads.add(new Numbered("other", 1));

        assertThat(refused).hasSize(2);
    }

    @Test
    void oneThatThrowsHoldsUpNoOther() {
        coldReads.add(new Numbered(-1));
        for (int i = 0; i < ColdReads.RUNNING_MAX; i++) {
            coldReads.add(new Numbered(i));
        }

        while (!handedOver.isEmpty()) {
            try {
                handedOver.remove().run();
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage("-1");
            }
        }

        assertThat(read).hasSize(ColdReads.RUNNING_MAX);
    }

    @Test
    void everyPageOfAMessageIsTouched() {
        ByteBuf bytes = Unpooled.buffer(20_000).writeZero(20_000).readerIndex(1);
        for (int at : new int[] {1, 4097, 8193, 12_289, 16_385, 19_999}) {
            bytes.setByte(at, 1);
        }

        assertThat(ColdReads.touch(bytes)).isEqualTo(6);
        assertThat(ColdReads.touch(Unpooled.EMPTY_BUFFER)).isZero();
    }

    private final class Numbered implements ColdReads.Read {
        private final String connection;
        private final int number;

        Numbered(int number) {
            this("one", number);
        }

        Numbered(String connection, int number) {
            this.connection = connection;
            this.number = number;
        }

        @Override
        public Object connection() {
            return connection;
        }

        @Override
        public void read() {
            if (number < 0) {
                throw new IllegalStateException(Integer.toString(number));
            }
            read.add(number);
        }

        @Override
        public void refused(StoreException busy) {
            refused.add(busy.kind());
        }
    }
}
