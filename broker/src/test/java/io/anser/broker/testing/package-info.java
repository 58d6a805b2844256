/** What tests of several features use. */
@org.jspecify.annotations.NullMarked
package io.anser.broker.testing;
