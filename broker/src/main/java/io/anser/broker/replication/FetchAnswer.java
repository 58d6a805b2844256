package io.anser.broker.replication;

import java.nio.ByteBuffer;

/**
 * What a primary answers a replica that asks for more.
 *
 * @param records whole records from the place asked for, from position to limit; none when there were none for a while
 * @param committed everything before it is committed at the primary
 * @param kept the primary keeps nothing before it, as it was before {@code committed} was looked at
 */
record FetchAnswer(ByteBuffer records, long committed, long kept) {}
