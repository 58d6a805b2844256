/** Unmodified Apache clients against the packaged server, which runs as a process of its own. */
package io.anser.interop;
