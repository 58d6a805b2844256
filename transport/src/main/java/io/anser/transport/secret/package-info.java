/**
 * How the processes of one cluster prove to one another that they have the same secret, before one tells the other what only
 * members may say. Begin with {@link io.anser.transport.secret.ClusterProof}. Event loops, but for the reading of the secret.
 */
@NullMarked
package io.anser.transport.secret;

import org.jspecify.annotations.NullMarked;
