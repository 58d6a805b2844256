/**
 * What the parts of a broker are told when it begins to lead its group, or leads no more. Told on the committing thread, in
 * the order of the log. Read {@link io.anser.broker.role.RoleListener}.
 */
@NullMarked
package io.anser.broker.role;

import org.jspecify.annotations.NullMarked;
