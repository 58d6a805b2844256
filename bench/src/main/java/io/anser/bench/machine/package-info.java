/**
 * What the kernel tells about this machine and its processes (Linux only), and what the device needs to flush. Read {@link io.anser.bench.machine.Usage} first.
 */
@NullMarked
package io.anser.bench.machine;

import org.jspecify.annotations.NullMarked;
