/**
 * Administration: topics and groups are created, changed and listed, figures told. All of it is rare and runs on the worker
 * pool. One handler for each operation; read {@link io.anser.broker.topic.TopicAdministration} first.
 */
@NullMarked
package io.anser.broker.topic;

import org.jspecify.annotations.NullMarked;
