package io.anser.broker.role;

/** Which member of the group a consumer is told to read from. Any thread. */
public interface ReadingPlace {
    /** That of a broker of its own: always this one. */
    ReadingPlace MASTER = new ReadingPlace() {
        @Override
        public long brokerId(String group, long bytesBehind) {
            return 0;
        }

        @Override
        public boolean mayLag() {
            return false;
        }
    };

    /**
     * The broker id to read from next.
     *
     * @param group who reads
     * @param bytesBehind how much of the log lies between what it has just read and the end; negative when it has read nothing
     */
    long brokerId(String group, long bytesBehind);

    /** Whether others may have messages that this broker has not yet. */
    boolean mayLag();
}
