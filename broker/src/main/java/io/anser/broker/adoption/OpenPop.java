package io.anser.broker.adoption;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One pop of which something may be out. Owned by one thread. */
final class OpenPop {
    private final PopRecord record;
    private final long position;
    private final Map<Integer, List<Identity>> retries = new HashMap<>();
    private int settled;

    /** A pop whose record lies at a log position. */
    OpenPop(PopRecord record, long position) {
        this.record = record;
        this.position = position;
        this.settled = record.settled();
    }

    PopRecord record() {
        return record;
    }

    /** Takes note that a message is acknowledged; of no meaning when it is not one of these. */
    void settle(long offset) {
        int place = record.offsets().indexOf(offset);
        if (place >= 0) {
            settled |= 1 << place;
        }
    }

    /** Asks for the copy in a retry topic that the broker makes when the time is over. */
    void retriedAs(long offset, Identity message, Copies copies) {
        List<Identity> names = RetryTopics.copies(record.key().group(), message);
        retries.put(record.offsets().indexOf(offset), names);
        names.forEach(name -> copies.want(name, position));
    }

    /** Takes note of what lies in a retry topic. */
    void settleRetried(Copies copies) {
        retries.forEach((place, names) -> {
            if (names.stream().anyMatch(name -> copies.count(name, position) > 0)) {
                settled |= 1 << place;
            }
        });
    }

    /** The bits of those messages that are out. */
    int left() {
        int size = record.offsets().size();
        return (size == PopRecord.MESSAGES_MAX ? -1 : (1 << size) - 1) & ~settled;
    }
}
