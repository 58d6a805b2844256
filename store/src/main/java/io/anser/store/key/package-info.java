/**
 * Finds messages by topic and key: by the words of the property KEYS and by the unique id. Derived from the log and
 * disposable: every file here may be lost or damaged and is built again. The log writer notes the
 * keys of what it writes, the committing thread puts them into a ring, and one worker at a time owns the index and takes them
 * from there, or from the log what found no room. Look-ups let it catch up first, then read what it
 * has published. Read {@link io.anser.store.key.KeyIndex} first.
 */
@NullMarked
package io.anser.store.key;

import org.jspecify.annotations.NullMarked;
