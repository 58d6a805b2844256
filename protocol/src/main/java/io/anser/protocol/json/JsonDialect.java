package io.anser.protocol.json;

/** How member names that are not strings are written. */
public enum JsonDialect {
    /** Numbers as member names are quoted: {@code {"0":"a"}}. */
    STANDARD,
    /** Numbers as member names stand without quotes, as old Apache clients expect: {@code {0:"a"}}. */
    FASTJSON
}
