/**
 * Frames and command headers of the remoting protocol: both header encodings, read without building strings or maps and
 * written without intermediate strings.
 *
 * <p>Everything here works on {@code byte[]} and knows neither sockets nor threads. A {@link
 * io.anser.protocol.frame.CommandHeader} and a {@link io.anser.protocol.frame.HeaderWriter} are reusable and belong to the
 * thread that uses them, usually one event loop; all other types are immutable. Decoders throw only {@link
 * io.anser.protocol.frame.ProtocolException}s, whatever the input. Read {@link io.anser.protocol.frame.CommandHeader} first.
 */
@NullMarked
package io.anser.protocol.frame;

import org.jspecify.annotations.NullMarked;
