package io.anser.store.inspection;

import io.anser.store.log.DamagedRanges;
import java.util.List;
import java.util.SortedMap;

/**
 * What a check of a store has found.
 *
 * @param directory the store's own files
 * @param fromPosition log position of the first record
 * @param untilPosition log position behind the last sound record
 * @param records sound records
 * @param messages in sound records
 * @param stateChanges in sound records, how many of each kind, by name
 * @param bytes of sound records
 * @param firstTerm term of the first sound record, 0 when there is none
 * @param lastTerm term of the last sound record, 0 when there is none
 * @param tornTail whether something that was never acknowledged lies behind the last record; a start cuts it
 * @param damage what is lost, by position
 * @param snapshots by position
 * @param indexPages pages that the newest usable snapshot refers to
 * @param wrongIndexPages of those, missing or damaged ones; they are built again when the store is used
 * @param keyFiles of the index of keys that are needed
 * @param wrongKeyFiles names of those that are damaged or belong to another log; they are built again when the store is used
 * @param strayFiles names of files among the segments that are no segments
 */
public record CheckReport(
        String directory,
        long fromPosition,
        long untilPosition,
        long records,
        long messages,
        SortedMap<String, Long> stateChanges,
        long bytes,
        long firstTerm,
        long lastTerm,
        boolean tornTail,
        List<DamagedRanges.Range> damage,
        List<SnapshotState> snapshots,
        long indexPages,
        long wrongIndexPages,
        int keyFiles,
        List<String> wrongKeyFiles,
        List<String> strayFiles) {

    /**
     * One snapshot.
     *
     * @param position log position that it was taken at
     * @param problem why it cannot be used; empty when it is whole
     */
    public record SnapshotState(long position, String problem) {
        /** Whether it is whole. */
        public boolean usable() {
            return problem.isEmpty();
        }
    }

    /** How many state changes there are in all. */
    public long allStateChanges() {
        return stateChanges.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether nothing is lost and nothing has to be built again; a torn tail is no damage. */
    public boolean isSound() {
        return damage.isEmpty()
                && wrongIndexPages == 0
                && wrongKeyFiles.isEmpty()
                && snapshots.stream().allMatch(SnapshotState::usable);
    }
}
