/**
 * The store under a simulator: one thread plays all threads, clients, the clock and the device, from one seed. Read {@link
 * io.anser.store.simulation.Simulation} first; {@link io.anser.store.simulation.Ledger} says what must never be untrue.
 */
package io.anser.store.simulation;
