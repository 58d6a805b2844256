package io.anser.broker.transaction;

import io.anser.protocol.operation.CheckTransactionState;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** The producers that are connected. Any thread. */
@FunctionalInterface
public interface Producers {
    /** The way to one producer. */
    @FunctionalInterface
    interface Producer {
        /**
         * Asks it what became of a transaction; it does not answer, but sends its decision.
         *
         * @param body taken over
         */
        void ask(CheckTransactionState.Request question, ByteBuf body);
    }

    /**
     * Returns a living producer of a group, if there is one.
     *
     * @param turn any number; members are taken in turn, so that one that does not answer is not asked alone
     */
    Optional<Producer> any(String group, int turn);
}
