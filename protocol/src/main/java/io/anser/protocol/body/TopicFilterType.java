package io.anser.protocol.body;

/** Whether messages of a topic carry one tag or several. */
public enum TopicFilterType {
    /** One tag. */
    SINGLE_TAG,
    /** Several tags. */
    MULTI_TAG
}
