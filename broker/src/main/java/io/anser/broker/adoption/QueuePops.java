package io.anser.broker.adoption;

import io.anser.broker.adoption.PoppedQueue.Hole;
import io.anser.broker.adoption.PoppedQueue.Pop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The pops of one queue, put together. Owned by one thread. */
final class QueuePops {
    /** A killed broker has noted the offset of its last pops nowhere; it notes offsets every few seconds. */
    private static final long NOTES_APART_MILLIS = 60_000;

    private final Place place;
    private final List<OpenPop> pops = new ArrayList<>();

    /** A queue as a group sees it. */
    record Place(String group, String topic, int queueId) {}

    QueuePops(Place place) {
        this.place = place;
    }

    Place place() {
        return place;
    }

    /** Takes a pop of the queue. */
    void add(OpenPop pop) {
        pops.add(pop);
    }

    /**
     * What is out.
     *
     * @param committed the group's offset as the broker has noted it, negative without one
     * @param min first offset of the queue
     * @param max the offset behind its last message
     */
    PoppedQueue asOf(long committed, ApacheProgress progress, long min, long max) {
        pops.sort(Comparator.comparingLong(pop -> pop.record().key().start()));
        List<OpenPop> last = pops.stream()
                .filter(pop -> committed < 0 || (progress.killed() && isLate(pop, progress.endMillis())))
                .toList();
        long known = committed < 0 ? firstStart() : committed;
        long frontier = Math.min(max, last.stream().mapToLong(QueuePops::end).reduce(known, Math::max));
        List<Pop> out = new ArrayList<>();
        for (OpenPop pop : pops) {
            int left = left(pop, min, frontier);
            if (left != 0) {
                PopRecord record = pop.record();
                long[] offsets =
                        record.offsets().stream().mapToLong(Long::longValue).toArray();
                out.add(new Pop(record.key().start(), record.key().popMillis(), record.visibleMillis(), offsets, left));
            }
        }
        return new PoppedQueue(
                place.group(), place.topic(), place.queueId(), frontier, holes(last, known, frontier), out);
    }

    private static boolean isLate(OpenPop pop, long endMillis) {
        return pop.record().key().popMillis() >= endMillis - NOTES_APART_MILLIS;
    }

    private long firstStart() {
        return pops.stream().mapToLong(pop -> pop.record().key().start()).min().orElse(0);
    }

    private static long end(OpenPop pop) {
        List<Long> offsets = pop.record().offsets();
        return offsets.isEmpty() ? 0 : offsets.get(offsets.size() - 1) + 1;
    }

    /** What has expired needs nobody any more, and what lies behind the frontier will be handed out anyway. */
    private static int left(OpenPop pop, long min, long frontier) {
        int left = pop.left();
        List<Long> offsets = pop.record().offsets();
        for (int i = 0; i < offsets.size(); i++) {
            if (offsets.get(i) < min || offsets.get(i) >= frontier) {
                left &= ~(1 << i);
            }
        }
        return left;
    }

    /** Between what is known to be handed out and the frontier, what no pop has. */
    private static List<Hole> holes(List<OpenPop> last, long known, long frontier) {
        List<Hole> holes = new ArrayList<>();
        long covered = known;
        for (OpenPop pop : last) {
            long start = pop.record().key().start();
            if (start > covered && covered < frontier) {
                holes.add(new Hole(covered, Math.min(start, frontier)));
            }
            covered = Math.max(covered, end(pop));
        }
        return holes;
    }
}
