/**
 * What a member of a group is given when the others no longer have the log that it lacks: a snapshot, and the segments before
 * it. {@link io.anser.store.install.InstallSource} gives, on any worker; {@link io.anser.store.install.Installation} receives,
 * owned by one worker, beside the store's own files; {@link io.anser.store.install.InstalledFiles} puts what was received in
 * their place when the store is opened. Read {@code docs/decisions/0031-a-member-behind-the-deleted-prefix.md} first.
 */
@NullMarked
package io.anser.store.install;

import org.jspecify.annotations.NullMarked;
