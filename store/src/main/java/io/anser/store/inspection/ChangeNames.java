package io.anser.store.inspection;

import java.nio.ByteBuffer;

/** What the owner of the state calls its changes; the store knows their numbers only. */
@FunctionalInterface
public interface ChangeNames {
    /**
     * The name of a kind, asked for once for each.
     *
     * @param payload of the first change of that kind, from position to limit; may be consumed
     */
    String of(short kind, ByteBuffer payload);
}
