/** The broker: one handler per remote operation, each feature in a package of its own. */
@org.jspecify.annotations.NullMarked
package io.anser.broker;
