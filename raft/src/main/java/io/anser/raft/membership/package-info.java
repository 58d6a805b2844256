/**
 * Who belongs to a group and who leads it, while it runs: what operators ask of a member and the rules by which it is refused
 * ({@link io.anser.raft.membership.MemberChangeRules}), leads that spread over processes, and a process that gives its leads
 * away before it stops. Everything is asked of {@link io.anser.raft.GroupEngine}. Read {@link
 * io.anser.raft.membership.AdministrationHandlers} first.
 */
@NullMarked
package io.anser.raft.membership;

import org.jspecify.annotations.NullMarked;
