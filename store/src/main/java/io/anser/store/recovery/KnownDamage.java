package io.anser.store.recovery;

import io.anser.store.file.StoreException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.DamagedRanges;
import io.anser.store.log.LogVerifier;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an earlier process has met damage, as the snapshot tells. Looked at again after a start, in the background: what is
 * still damaged is reported as it was before, and what somebody has restored is not. Only places are kept and no verdict, for
 * the file may be another one by now.
 *
 * <p>Read by the recovering thread, looked at by one worker, written by the committing thread.
 */
public final class KnownDamage {
    private static final Logger LOGGER = LoggerFactory.getLogger(KnownDamage.class);

    /** Most places that a snapshot holds, as many as are kept apart. */
    private static final int PLACES_MAX = 10_000;

    private final CommitLog log;
    private final LogVerifier verifier;
    private List<Place> places = List.of();

    /** How many of the places were looked at. */
    private volatile int looked;

    private volatile boolean stopped;

    /** Log positions {@code [from, until)}. */
    private record Place(long from, long until) {}

    /** No place is known yet. */
    public KnownDamage(CommitLog log, LogVerifier verifier) {
        this.log = log;
        this.verifier = verifier;
    }

    /** Writes what is damaged, and the places that were not looked at yet, as far as the log still has them. */
    public void write(DataOutput out) throws IOException {
        List<Place> all = new ArrayList<>(places.subList(looked, places.size()));
        for (DamagedRanges.Range range : log.damage().ranges()) {
            all.add(new Place(range.from(), range.until()));
        }
        long kept = log.readableFrom();
        List<Place> written = all.stream()
                .filter(place -> place.until > kept)
                .distinct()
                .limit(PLACES_MAX)
                .toList();
        out.writeInt(written.size());
        for (Place place : written) {
            out.writeLong(place.from);
            out.writeLong(place.until);
        }
    }

    /** Reads what {@link #write} wrote. */
    public void read(DataInput in) throws IOException {
        int count = in.readInt();
        List<Place> read = new ArrayList<>();
        for (int place = 0; place < count; place++) {
            read.add(new Place(in.readLong(), in.readLong()));
        }
        places = List.copyOf(read);
    }

    /** Has a worker look at all places. Called once, after recovery. */
    public void lookWith(Executor worker) {
        if (places.isEmpty()) {
            return;
        }
        try {
            worker.execute(this::look);
        } catch (RejectedExecutionException busy) {
            LOGGER.warn("no worker is free, known places of damage are looked at when they are read", busy);
        }
    }

    private void look() {
        for (int next = 0; next < places.size() && !stopped; next++) {
            look(places.get(next));
            looked = next + 1; // behind the look: what is damaged is marked before its place is given up
        }
    }

    private void look(Place place) {
        try {
            for (long position = place.from; position < place.until && log.holds(position); ) {
                long next = Math.min(place.until, position + log.bytesInSegment(position));
                verifier.check(position, (int) (next - position));
                position = next;
            }
        } catch (StoreException e) {
            LOGGER.warn("a known place of damage cannot be looked at fromPosition={}", place.from, e);
        }
    }

    /** Has the worker end soon. */
    public void stop() {
        stopped = true;
    }
}
