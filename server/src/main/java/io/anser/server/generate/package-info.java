/**
 * What the command line writes for somebody who sets up a cluster. Main thread. Read {@link
 * io.anser.server.generate.GenerateCommand} first.
 */
@NullMarked
package io.anser.server.generate;

import org.jspecify.annotations.NullMarked;
