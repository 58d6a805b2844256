/**
 * A small JSON codec for bodies on the wire. Apache clients and tools write the dialect of their JSON library: numbers
 * and whole objects as member names without quotes. {@link io.anser.protocol.json.JsonReader} takes both dialects,
 * {@link io.anser.protocol.json.JsonWriter} writes the one that is asked for.
 *
 * <p>Readers and writers belong to the thread that makes them. Input is hostile: size and depth are bounded, and nothing
 * but {@link io.anser.protocol.json.MalformedJsonException} is thrown for it. Read {@code JsonReader} first.
 */
@NullMarked
package io.anser.protocol.json;

import org.jspecify.annotations.NullMarked;
