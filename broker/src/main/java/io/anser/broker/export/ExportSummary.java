package io.anser.broker.export;

import java.util.List;

/**
 * What an export wrote.
 *
 * @param messages all messages, those that wait included
 * @param waiting messages of these that may be delivered later: delays, timers, open transactions
 * @param topics topics that were created, without those that every broker has
 * @param groups consumer groups
 * @param offsets committed consumer offsets
 * @param gaps queues in which messages are lost, as {@code topic/queueId [from,until)}: Apache numbers what follows lower
 */
public record ExportSummary(long messages, long waiting, int topics, int groups, int offsets, List<String> gaps) {
    /** Copies the list. */
    public ExportSummary {
        gaps = List.copyOf(gaps);
    }
}
