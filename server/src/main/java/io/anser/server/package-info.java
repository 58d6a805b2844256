/** The process: command line, settings, and the roles composed into one program. */
@org.jspecify.annotations.NullMarked
package io.anser.server;
