package io.anser.store.queue;

/** Told of an index page that does not check out, so that it is made again from the log, which this package does not know. */
@FunctionalInterface
public interface PageRepair {
    /**
     * Asks for a page to be made again soon. Any thread, perhaps often for the same page; never blocks.
     *
     * @param firstOffset queue offset of the page's first entry
     * @param page its number in the file
     */
    void ask(QueueLog queue, long firstOffset, int page);
}
