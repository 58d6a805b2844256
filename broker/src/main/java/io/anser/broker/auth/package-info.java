/**
 * Users and rules: they are created, changed, told and deleted (operations 3001 to 3010), and kept as state of the log in
 * {@link io.anser.broker.metadata.UserTable}. Requests are not judged by them yet. Passwords are never told and never
 * logged. Rare, on the worker pool. Read {@link io.anser.broker.auth.UserRules} and {@link io.anser.broker.auth.AclRules}
 * for what is allowed.
 */
@NullMarked
package io.anser.broker.auth;

import org.jspecify.annotations.NullMarked;
