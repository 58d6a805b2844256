/**
 * Keeps the name servers informed of where the broker is and which topics it has. Everything is owned by the timer
 * thread. Read {@link io.anser.broker.registration.NameServerRegistration} first.
 */
@NullMarked
package io.anser.broker.registration;

import org.jspecify.annotations.NullMarked;
