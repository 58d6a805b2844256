package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A replica's log, which somebody fills with the records of its primary. Any thread. */
public interface LogCopy {
    /** Size of the segments. */
    int segmentBytes();

    /** The place behind the last record that was copied. */
    LogPoint end();

    /** Everything before it is copied, and survives what the store's durability survives. */
    long durable();

    /** Everything before it is applied and shown. */
    long shown();

    /**
     * Hands over records that belong at {@link #end}; the next ones only after the outcome of these.
     *
     * @param records whole ones, all of one segment, from position to limit; must not change any more
     * @param outcome told by the thread that writes the log: null when they are written, else why they are not, and then
     *     nothing is: REFUSED for what cannot follow, FULL for a device without room, FENCED
     */
    void append(ByteBuffer records, Consumer<@Nullable StoreException> outcome);

    /** Takes the primary's word that everything before a position is committed there: it is shown here as far as it is copied. */
    void committed(long position);

    /** Has somebody told, by a thread of the log, when {@link #durable} has moved; must not block. */
    void onDurable(Runnable listener);
}
