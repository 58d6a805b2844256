package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.store.state.HeldState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionTableTest {
    private final TransactionTable table = new TransactionTable();

    @Test
    void aTransactionIsOpenUntilItsFirstEnd() {
        table.add(open(10));
        assertThat(table.find(10)).contains(open(10));

        table.apply(new TransactionEnded(10, TransactionEnd.ROLLED_BACK, 1));
        table.apply(new TransactionEnded(10, TransactionEnd.COMMITTED, 2));

        assertThat(table.size()).isZero();
        assertThat(table.find(10)).isEmpty();
        assertThat(table.end(10)).contains(TransactionEnd.ROLLED_BACK);
        assertThat(table.end(11)).isEmpty();
    }

    @Test
    void anEndOfWhatWasNeverOpenMeansNothing() {
        table.apply(new TransactionEnded(10, TransactionEnd.COMMITTED, 1));

        assertThat(table.end(10)).isEmpty();
        assertThat(table.size()).isZero();
    }

    @Test
    void aMovedHalfMessageKeepsItsTransaction() {
        table.add(open(10));
        table.apply(new TransactionChecked(10, 2, 50));

        table.move(10, 99);
        table.move(11, 99);

        assertThat(table.find(10)).contains(new OpenTransaction(10, 1, 99, 10, 5, -1, 2, 50));
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void onlyTheLastEndsAreRemembered() {
        for (long id = 0; id <= TransactionTable.ENDS_MAX; id++) {
            table.add(open(id));
            table.apply(new TransactionEnded(id, TransactionEnd.COMMITTED, 1));
        }

        assertThat(table.end(0)).isEmpty();
        assertThat(table.end(1)).contains(TransactionEnd.COMMITTED);
        assertThat(table.end(TransactionTable.ENDS_MAX)).contains(TransactionEnd.COMMITTED);
    }

    @Test
    void onlyTheLastGivenUpAreListedAndAllAreCounted() {
        for (long id = 0; id <= TransactionTable.GIVEN_UP_MAX; id++) {
            table.add(open(id));
            table.apply(new TransactionEnded(id, TransactionEnd.GIVEN_UP, id));
        }

        assertThat(table.givenUp()).isEqualTo(TransactionTable.GIVEN_UP_MAX + 1L);
        assertThat(table.lastGivenUp()).hasSize(TransactionTable.GIVEN_UP_MAX);
        assertThat(table.lastGivenUp().firstKey()).isEqualTo(1);
    }

    @Test
    void thoseGivenUpFirstAreForgottenFirstWhateverTheirIds() throws IOException {
        table.add(open(0));
        for (long id = 1; id < TransactionTable.GIVEN_UP_MAX; id++) {
            table.add(open(id));
            table.apply(new TransactionEnded(id, TransactionEnd.GIVEN_UP, id));
        }
        table.apply(new TransactionEnded(0, TransactionEnd.GIVEN_UP, 20_000));
        TransactionTable other = new TransactionTable();
        other.read(new DataInputStream(new ByteArrayInputStream(written(table.hold()))));

        for (TransactionTable each : List.of(table, other)) {
            each.add(open(30_000));
            each.apply(new TransactionEnded(30_000, TransactionEnd.GIVEN_UP, 30_000));

            assertThat(each.lastGivenUp())
                    .hasSize(TransactionTable.GIVEN_UP_MAX)
                    .containsKeys(0L, 2L, 30_000L);
            assertThat(each.lastGivenUp()).doesNotContainKey(1L);
        }
    }

    @Test
    void whatWasGivenUpCanBeTakenUpAgainOnce() throws IOException {
        table.add(open(10));
        table.apply(new TransactionEnded(10, TransactionEnd.GIVEN_UP, 1));

        table.apply(new TransactionReopened(10, 1, 500, 90));
        table.apply(new TransactionReopened(11, 1, 500, 90));

        assertThat(table.open().values()).containsExactly(new OpenTransaction(10, 1, 500, 500, 90, -1, 0, 0));
        assertThat(table.end(10)).isEmpty();
        assertThat(table.lastGivenUp()).isEmpty();
        assertThat(table.givenUp()).isEqualTo(1);
        TransactionTable other = new TransactionTable();
        other.read(new DataInputStream(new ByteArrayInputStream(written(table.hold()))));
        assertThat(other.end(10)).isEmpty();

        table.apply(new TransactionEnded(10, TransactionEnd.COMMITTED, 2));
        table.apply(new TransactionReopened(10, 1, 500, 99));
        assertThat(table.size()).isZero();
        assertThat(table.end(10)).contains(TransactionEnd.COMMITTED);
    }

    @Test
    void theListenerSeesEachTransactionAsItIsAndAsItWas() {
        List<String> told = new ArrayList<>();
        table.onChange(new TransactionListener() {
            @Override
            public void opened(OpenTransaction transaction) {
                told.add("opened " + transaction.id() + " checks=" + transaction.checks());
            }

            @Override
            public void closed(OpenTransaction transaction) {
                told.add("closed " + transaction.id() + " checks=" + transaction.checks());
            }
        });

        table.add(open(10));
        table.apply(new TransactionChecked(10, 1, 50));
        table.apply(new TransactionChecked(11, 1, 50));
        table.apply(new TransactionEnded(10, TransactionEnd.COMMITTED, 60));

        assertThat(told)
                .containsExactly(
                        "opened 10 checks=0", "closed 10 checks=0", "opened 10 checks=1", "closed 10 checks=1");
    }

    @Test
    void aSnapshotHoldsOpenOnesEndsAndThoseGivenUp() throws IOException {
        table.add(open(10));
        table.add(open(11));
        table.add(open(12));
        table.apply(new TransactionChecked(10, 2, 50));
        table.move(10, 99);
        table.apply(new TransactionEnded(11, TransactionEnd.COMMITTED, 60));
        table.apply(new TransactionEnded(12, TransactionEnd.GIVEN_UP, 70));

        HeldState held = table.hold();
        table.apply(new TransactionEnded(10, TransactionEnd.COMMITTED, 80));
        TransactionTable other = new TransactionTable();
        other.add(open(5));
        other.read(new DataInputStream(new ByteArrayInputStream(written(held))));

        assertThat(other.open().values()).containsExactly(new OpenTransaction(10, 1, 99, 99, 5, -1, 2, 50));
        assertThat(other.size()).isEqualTo(1);
        assertThat(other.end(11)).contains(TransactionEnd.COMMITTED);
        assertThat(other.end(12)).contains(TransactionEnd.GIVEN_UP);
        assertThat(other.givenUp()).isEqualTo(1);
        assertThat(other.lastGivenUp().values()).containsExactly(new TransactionEnded(12, TransactionEnd.GIVEN_UP, 70));
        assertThat(written(other.hold())).isEqualTo(written(held));
    }

    @Test
    void aSnapshotOfANewerVersionIsRefused() throws IOException {
        byte[] newer = {0, 0, 0, 9};

        assertThatThrownBy(() -> table.read(new DataInputStream(new ByteArrayInputStream(newer))))
                .isInstanceOf(IOException.class)
                .hasMessage("transactions version=9, this broker reads 1");
    }

    private static byte[] written(HeldState held) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        held.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static OpenTransaction open(long id) {
        return OpenTransaction.of(id, 1, 5, OpenTransaction.NO_IMMUNITY);
    }
}
