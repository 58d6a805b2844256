package io.anser.broker.config;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings that a broker was started with, and what becomes of them by changes. Any thread. */
public interface ChangeableSettings {
    /** A broker about whose settings nobody knows anything: none is told, none can be changed. */
    ChangeableSettings NONE = new ChangeableSettings() {
        @Override
        public SortedMap<String, String> inForce(SortedMap<String, String> changed) {
            return new TreeMap<>();
        }

        @Override
        public SortedMap<String, String> checked(SortedMap<String, String> changed, Map<String, String> asked) {
            throw new RefusedSettingException("this broker was started without settings that could change");
        }

        @Override
        public <R extends Record> R as(Class<R> type, SortedMap<String, String> changed, R started, R inForce) {
            return started;
        }
    };

    /**
     * Returns every setting by all its names, Apache's among them.
     *
     * @param changed texts by key of the settings that were changed
     */
    SortedMap<String, String> inForce(SortedMap<String, String> changed);

    /**
     * Checks changes that somebody asks for, all of them or none.
     *
     * @param changed what was changed before
     * @param asked texts by any name; an empty text takes a change back
     * @return texts by key, in our own words
     * @throws RefusedSettingException if a name is unknown, a setting cannot change, or a value does not fit
     */
    SortedMap<String, String> checked(SortedMap<String, String> changed, Map<String, String> asked);

    /**
     * Makes a record of settings with the changes in it.
     *
     * @param started the record as it was at the start
     * @param inForce the record as it is now; stays where the changes do not fit one another
     */
    <R extends Record> R as(Class<R> type, SortedMap<String, String> changed, R started, R inForce);
}
