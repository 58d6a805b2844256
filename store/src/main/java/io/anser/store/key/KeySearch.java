package io.anser.store.key;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.log.MessageReader;
import io.anser.store.queue.QueueCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One pass of one look-up over the runs, newest first. Every candidate is read from the log and compared. Used by one thread,
 * once.
 */
final class KeySearch {
    /** How a pass ended. */
    enum Ending {
        /** The answer is complete. */
        COMPLETE,
        /** A part of the log that matters is not covered yet. */
        GAP,
        /** A file was replaced meanwhile. */
        OUTDATED,
        /** A file is damaged, see {@link #damaged}. */
        DAMAGED
    }

    /** Messages read for one look-up at most; far beyond what a look-up of a real key meets. */
    private static final int CANDIDATES_MAX = 1_000_000;

    private final KeyQuery query;
    private final MessageReader messages;
    private final QueueCursor cursor = new QueueCursor();
    private final long minPosition;
    private final int hash;
    private final byte[] topic;
    private final byte[] key;
    private final MessageView view = new MessageView();
    private final MessageKeys keys = new MessageKeys();
    private final List<ByteBuffer> found = new ArrayList<>();
    private long foundBytes;
    private int candidates;
    private long lastPosition = Long.MAX_VALUE;
    private Optional<KeyFile> damaged = Optional.empty();

    /**
     * A pass that has not begun.
     *
     * @param minPosition messages before it do not count
     */
    KeySearch(KeyQuery query, MessageReader messages, long minPosition) {
        this.query = query;
        this.messages = messages;
        this.minPosition = minPosition;
        this.topic = query.topic().getBytes(StandardCharsets.UTF_8);
        this.key = query.key().getBytes(StandardCharsets.UTF_8);
        this.hash = KeyHash.of(KeyHash.topic(topic, topic.length), key, 0, key.length);
    }

    /** The messages found, newest first, each from position to limit. */
    List<ByteBuffer> found() {
        return found;
    }

    /** The file that ended the pass. */
    Optional<KeyFile> damaged() {
        return damaged;
    }

    Ending over(KeyRuns runs) {
        if (!runs.active().visit(hash, minPosition, Long.MAX_VALUE, this::candidate)) {
            return Ending.COMPLETE;
        }
        long covered = runs.active().from();
        long newerTime = Long.MAX_VALUE;
        for (int at = runs.files().size() - 1; at >= 0 && covered > minPosition; at--) {
            KeyFile file = runs.files().get(at);
            if (newerTime < query.fromMillis()) {
                return Ending.COMPLETE; // everything older was stored even earlier
            }
            if (file.until() < covered && !isAfterRange(runs, at)) {
                return Ending.GAP;
            }
            covered = file.from();
            TimeMarks marks = file.marks();
            if (!marks.isEmpty()) {
                newerTime = marks.firstTime();
                if (marks.lastTime() >= query.fromMillis() && newerTime <= query.untilMillis()) {
                    Optional<Ending> ending = over(file);
                    if (ending.isPresent()) {
                        return ending.get();
                    }
                }
            }
        }
        boolean gap = covered > minPosition && newerTime >= query.fromMillis();
        return gap ? Ending.GAP : Ending.COMPLETE;
    }

    /** Whether all messages behind a file, up to the next one, were stored after the time range. */
    private boolean isAfterRange(KeyRuns runs, int at) {
        for (int older = at; older >= 0; older--) {
            TimeMarks marks = runs.files().get(older).marks();
            if (!marks.isEmpty()) {
                return marks.lastTime() > query.untilMillis();
            }
        }
        return false;
    }

    private Optional<Ending> over(KeyFile file) {
        long from = Math.max(minPosition, file.marks().fromPosition(query.fromMillis()));
        long until = file.marks().untilPosition(query.untilMillis());
        try {
            return file.visit(hash, from, until, this::candidate) ? Optional.empty() : Optional.of(Ending.COMPLETE);
        } catch (IOException e) {
            if (file.isRetired()) {
                return Optional.of(Ending.OUTDATED);
            }
            damaged = Optional.of(file);
            return Optional.of(Ending.DAMAGED);
        }
    }

    private boolean candidate(long position) {
        if (position >= lastPosition) {
            return true; // a message may carry the same key twice
        }
        lastPosition = position;
        if (++candidates > CANDIDATES_MAX) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "more than " + CANDIDATES_MAX + " messages would have to be read; narrow the time range");
        }
        Optional<ByteBuffer> message = messages.readable(position, cursor);
        if (message.isEmpty() || !matches(message.get())) {
            return true;
        }
        found.add(message.get());
        foundBytes += message.get().remaining();
        return found.size() < query.countMax() && foundBytes < query.bytesMax();
    }

    private boolean matches(ByteBuffer message) {
        view.wrap(message, 0);
        long stored = view.storeTimestamp();
        if (stored < query.fromMillis() || stored > query.untilMillis() || !view.hasTopic(topic)) {
            return false;
        }
        keys.of(view);
        return keys.has(key, query.uniqueOnly());
    }
}
