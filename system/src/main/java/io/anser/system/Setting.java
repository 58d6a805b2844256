package io.anser.system;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one component of a settings record. The reference page, the sample file and the help text are generated
 * from these; the default is the value that the record's static {@code defaults()} method gives the component.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** The full key, lower case, words joined by dashes, groups by dots: {@code store.segment-bytes}. */
    String key();

    /** One sentence for a reader who has never seen the code. */
    String text();

    /** The unit of a number: {@code bytes}, {@code ms}, {@code count}; empty for other types. */
    String unit() default "";

    /** Smallest number allowed. */
    long min() default Long.MIN_VALUE;

    /** Largest number allowed. */
    long max() default Long.MAX_VALUE;

    /** Whether the value can change while the process runs. */
    boolean live() default false;

    /** Names under which Apache RocketMQ's files know this setting. */
    String[] alias() default {};
}
