/**
 * The replicated state of a broker: topics, groups, offsets, order locks and timers.
 *
 * <p>It is a deterministic function of the log. {@link io.anser.broker.metadata.BrokerState} applies committed records
 * on the committing thread, which owns all tables; other threads read concurrent maps of immutable values. Nobody
 * changes a table directly: a {@link io.anser.broker.metadata.Change} is proposed through
 * {@link io.anser.broker.metadata.Proposals}, becomes a record of the log, and is applied when that is committed. Every
 * feature of the broker may use this package. Read {@code Change} first.
 */
@NullMarked
package io.anser.broker.metadata;

import org.jspecify.annotations.NullMarked;
