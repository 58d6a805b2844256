/** Wire formats: frames, headers, one file per remote operation, the message and log-record codecs. Pure JDK code without threads. */
@org.jspecify.annotations.NullMarked
package io.anser.protocol;
