/** The Anser client for applications: producer, consumers and admin calls. */
@org.jspecify.annotations.NullMarked
package io.anser.client;
