package io.anser.broker.transaction;

import io.anser.system.Setting;

/**
 * When producers are asked what became of their transactions, and when nobody is asked any more.
 *
 * @param firstCheckMillis age of a transaction at which a producer is first asked, where its message asks for nothing else
 * @param checkIntervalMillis time between two questions about one transaction
 * @param checksMax questions after which a transaction is given up
 * @param abandonHours how long a transaction waits for a producer that could be asked
 * @param openMax most transactions that may be open
 */
public record TransactionSettings(
        @Setting(
                key = "transaction.first-check",
                text = "Age of an undecided transaction at which its producer group is first asked.",
                unit = "ms",
                min = 1000,
                max = 86_400_000,
                alias = {"transactionTimeOut"})
        long firstCheckMillis,

        @Setting(
                key = "transaction.check-interval",
                text = "Time between two questions about one transaction.",
                unit = "ms",
                min = 1000,
                max = 86_400_000,
                alias = {"transactionCheckInterval"})
        long checkIntervalMillis,

        @Setting(
                key = "transaction.checks-max",
                text = "Questions after which a transaction goes to TRANS_CHECK_MAX_TIME_TOPIC;"
                        + " those that no producer could be asked do not count.",
                unit = "count",
                min = 1,
                max = 10_000,
                live = true,
                alias = {"transactionCheckMax"})
        int checksMax,

        @Setting(
                key = "transaction.abandon-hours",
                text = "Time after the first check at which a transaction is given up although no producer of its group"
                        + " came to be asked.",
                unit = "hours",
                min = 1,
                max = 8760)
        int abandonHours,

        @Setting(
                key = "transaction.open-max",
                text = "Undecided transactions, about 200 bytes of memory each; more are refused.",
                unit = "count",
                min = 1000,
                max = 10_000_000)
        int openMax) {

    /** The defaults: Apache's times. */
    public static TransactionSettings defaults() {
        return new TransactionSettings(6_000, 30_000, 15, 72, 300_000);
    }
}
