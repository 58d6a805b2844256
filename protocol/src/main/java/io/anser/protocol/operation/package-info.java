/**
 * One file per remote operation: its code and the records of its request and response header, which know their wire names.
 *
 * <p>An operation without header fields has only its code; bodies are described in {@code io.anser.protocol.body}. Records
 * are immutable values: an empty string or the stated default means that an optional field is absent. A {@code decode}
 * method throws {@link io.anser.protocol.frame.InvalidFieldException} naming the field when a required one is absent or any
 * one is malformed. Start with {@link io.anser.protocol.operation.GetMaxOffset}, the smallest complete one.
 */
@NullMarked
package io.anser.protocol.operation;

import org.jspecify.annotations.NullMarked;
