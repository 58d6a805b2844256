package io.anser.broker.transaction;

import io.anser.broker.metadata.OpenTransaction;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** When a transaction is looked at, and what for. Pure. */
final class CheckTimes {
    private final TransactionSettings settings;
    private final IntSupplier checksMax;

    CheckTimes(TransactionSettings settings) {
        this(settings, settings::checksMax);
    }

    /** Times that stay as they are, and a number of questions that may change. */
    CheckTimes(TransactionSettings settings, IntSupplier checksMax) {
        this.settings = settings;
        this.checksMax = checksMax;
    }

    /** Returns the wall time at which somebody is asked next. */
    long nextMillis(OpenTransaction transaction) {
        return transaction.checks() == 0
                ? firstMillis(transaction)
                : transaction.checkedMillis() + settings.checkIntervalMillis();
    }

    private long firstMillis(OpenTransaction transaction) {
        long wait = transaction.immunitySeconds() == OpenTransaction.NO_IMMUNITY
                ? settings.firstCheckMillis()
                : TimeUnit.SECONDS.toMillis(transaction.immunitySeconds());
        return transaction.storedMillis() + wait;
    }

    /** Says whether producers were asked often enough. */
    boolean isExhausted(OpenTransaction transaction) {
        return transaction.checks() >= checksMax.getAsInt();
    }

    /** Returns the wall time at which the transaction is given up although nobody came to be asked. */
    long abandonedMillis(OpenTransaction transaction) {
        return nextMillis(transaction) + TimeUnit.HOURS.toMillis(settings.abandonHours());
    }

    /** Returns when to look again after a look at a time that changed nothing. */
    long againMillis(long nowMillis) {
        return nowMillis + settings.checkIntervalMillis();
    }
}
