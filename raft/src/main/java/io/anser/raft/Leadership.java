package io.anser.raft;

import java.util.Optional;

/** Who takes what is sent to a broker's name. Thread-safe. */
public interface Leadership {
    /** That of a process that always takes what is sent. */
    Leadership OWN = new Leadership() {
        @Override
        public boolean leads() {
            return true;
        }

        @Override
        public Optional<String> leader() {
            return Optional.empty();
        }
    };

    /** Whether this process does, as far as it knows. */
    boolean leads();

    /** Where who does is, {@code host:port}; empty while nobody does, or nobody is known. */
    Optional<String> leader();

    /** That of a process that never leads, with a leader that is always the same. */
    static Leadership of(String leader) {
        return new Leadership() {
            @Override
            public boolean leads() {
                return false;
            }

            @Override
            public Optional<String> leader() {
                return Optional.of(leader);
            }
        };
    }
}
