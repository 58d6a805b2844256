package io.anser.broker.transaction;

import io.anser.broker.metadata.OpenTransaction;
import java.util.concurrent.TimeUnit;

/** When a transaction is looked at, and what for. Pure. */
final class CheckTimes {
    private final TransactionSettings settings;

    CheckTimes(TransactionSettings settings) {
        this.settings = settings;
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
        return transaction.checks() >= settings.checksMax();
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
