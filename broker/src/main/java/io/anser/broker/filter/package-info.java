/**
 * What a consumer wants of a topic: parsed filter expressions. Values without threads, shared by the features that
 * deliver messages and the one that keeps subscriptions. Read {@link io.anser.broker.filter.Filters} first, then {@link
 * io.anser.broker.filter.SqlParser}.
 */
@NullMarked
package io.anser.broker.filter;

import org.jspecify.annotations.NullMarked;
