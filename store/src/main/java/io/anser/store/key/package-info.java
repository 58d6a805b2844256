/**
 * Finds messages by topic and key: by the words of the property KEYS and by the unique id. Derived from the log and
 * disposable: every file here may be lost or damaged and is built again. One worker at a time owns the index and follows the
 * committed log; the append and commit path only wakes it now and then. Look-ups let it catch up first, then read what it
 * has published. Read {@link io.anser.store.key.KeyIndex} first.
 */
@NullMarked
package io.anser.store.key;

import org.jspecify.annotations.NullMarked;
