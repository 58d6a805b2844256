package io.anser.store.key;

import java.io.IOException;
import java.util.function.LongPredicate;

/** The entries of one stretch of the log, in memory or in a file. */
sealed interface KeyRun permits MemoryRun, KeyFile {
    /** First log position that the run covers. */
    long from();

    /** The log position behind the last one that the run covers. */
    long until();

    /**
     * Shows the log positions of the messages that may have a key, newest first. Any thread.
     *
     * @param fromPosition earlier ones are left out
     * @param untilPosition this one and later ones are left out
     * @param visitor answers whether to go on
     * @return whether all were shown
     * @throws IOException when the run cannot be read or is damaged
     */
    boolean visit(int hash, long fromPosition, long untilPosition, LongPredicate visitor) throws IOException;
}
