package io.anser.broker.filter;

import io.anser.protocol.message.MessageView;
import java.util.List;

/** Accepts what one of several filters accepts. */
record AnyFilter(List<MessageFilter> filters) implements MessageFilter {
    @Override
    public boolean acceptsAll() {
        return filters.stream().anyMatch(MessageFilter::acceptsAll);
    }

    @Override
    public TagHashes tags() {
        TagHashes all = TagHashes.NONE;
        for (MessageFilter filter : filters) {
            all = all.or(filter.tags());
        }
        return all;
    }

    @Override
    public boolean accepts(MessageView message) {
        // By index: an iterator, or a stream, would be an object for each message.
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i).accepts(message)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int walks() {
        return 1 + filters.stream().mapToInt(MessageFilter::walks).sum();
    }

    @Override
    public int heldBytes() {
        return filters.stream().mapToInt(MessageFilter::heldBytes).sum();
    }
}
