/** The name server: route table, liveness of brokers, key-value settings. */
@org.jspecify.annotations.NullMarked
package io.anser.nameserver;
