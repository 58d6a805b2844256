/**
 * Bodies of remote operations: one record per JSON type of the wire, with {@code read} and {@code write}.
 *
 * <p>Readers ignore unknown members, take absent ones for their default, and throw nothing but {@link
 * io.anser.protocol.frame.ProtocolException}; an empty string or collection stands for "none". Records are immutable and
 * may be shared between threads. Read {@link io.anser.protocol.body.TopicRoute} first, and {@link
 * io.anser.protocol.json.JsonReader} for the two dialects.
 */
@NullMarked
package io.anser.protocol.body;

import org.jspecify.annotations.NullMarked;
