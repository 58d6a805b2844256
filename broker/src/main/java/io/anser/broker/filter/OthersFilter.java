package io.anser.broker.filter;

/**
 * Which messages the other members of a group want, as one of them has to mind it that reads for the group: it must not pass
 * them. They come and go, and change their minds, while a request of that member waits. Any thread.
 */
@FunctionalInterface
public interface OthersFilter {
    /** There are no others. */
    OthersFilter NONE = () -> Filters.NONE;

    /** Returns the filter that accepts what others want at the moment. */
    MessageFilter now();
}
