/**
 * The arithmetic of a comparison: spread over runs, ratios, targets. Pure. Read {@link io.anser.bench.stats.Spread} first.
 */
@NullMarked
package io.anser.bench.stats;

import org.jspecify.annotations.NullMarked;
