/**
 * Administration: topics and groups are created, changed and listed, single messages looked up, figures told. All of it
 * is rare and runs on the worker pool. One handler for each operation.
 */
@NullMarked
package io.anser.broker.topic;

import org.jspecify.annotations.NullMarked;
