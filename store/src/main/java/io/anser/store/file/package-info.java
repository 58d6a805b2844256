/**
 * The device below the store: named files that are written at a position, forced and mapped for reading, and the error
 * that everything above reports. No threads. Tests put {@code FaultyStorage} in the place of {@link
 * io.anser.store.file.FileSystemStorage} to lose unsynced writes and fail forces. Read {@link io.anser.store.file.Storage}
 * first.
 */
@NullMarked
package io.anser.store.file;

import org.jspecify.annotations.NullMarked;
