package io.anser.broker.metadata;

/**
 * Told of deletions by those who remember more than the state does. Called on the committing thread, before whoever asked
 * for the deletion is answered; must not block.
 */
public interface DeletionListener {
    /** A topic was deleted: nothing that was meant for it may reach a topic made anew under its name. */
    void topicDeleted(String topic);

    /**
     * A consumer group was deleted.
     *
     * @param offsetsToo whether its offsets went with it
     */
    void groupDeleted(String group, boolean offsetsToo);
}
