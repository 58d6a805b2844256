/**
 * Adopting the store directory of an Apache RocketMQ broker: its log is read where it lies and never changed, and everything
 * else is derived from it anew. Used while a store is opened, and for reads of old messages by any thread. Read {@link
 * io.anser.store.adoption.ApacheLog} first.
 */
@NullMarked
package io.anser.store.adoption;

import org.jspecify.annotations.NullMarked;
