package io.anser.nameserver;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What a name server tells about its settings. They are read when it starts: it keeps nothing that would outlive it. */
public interface NameServerConfiguration {
    /** A name server about whose settings nobody knows anything. */
    NameServerConfiguration NONE = new NameServerConfiguration() {
        @Override
        public SortedMap<String, String> inForce() {
            return Collections.emptySortedMap();
        }

        @Override
        public Optional<String> refusal(Map<String, String> asked) {
            return Optional.of("this name server was started without settings");
        }
    };

    /** Returns every setting by all its names, Apache's among them. */
    SortedMap<String, String> inForce();

    /**
     * Says why settings cannot be given other values, naming the first of them; empty if they have these values already.
     *
     * @param asked values by any name
     */
    Optional<String> refusal(Map<String, String> asked);
}
