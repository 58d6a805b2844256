/**
 * What an Apache broker had accepted and not finished when its store was adopted: delayed messages, timers, open
 * transactions, popped messages. Found out from its log and the files in which its services note how far they are; pure but
 * for the reading. Used by the thread that opens the store, before anything else runs. Read {@link
 * io.anser.broker.adoption.UnfinishedWork} first.
 */
@NullMarked
package io.anser.broker.adoption;

import org.jspecify.annotations.NullMarked;
