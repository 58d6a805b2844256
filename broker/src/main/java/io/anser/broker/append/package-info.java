/**
 * The messages that a broker writes, whatever feature asks for it: a message without its place in the log, a message
 * put off until its time, the rule for messages that were consumed in vain, and what appends messages again before their
 * segments go. All but the latter pure values and functions, used on any thread. Read {@link
 * io.anser.broker.append.NewMessage} first.
 */
@NullMarked
package io.anser.broker.append;

import org.jspecify.annotations.NullMarked;
