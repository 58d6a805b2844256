package io.anser.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server that can be measured. */
public interface Peer {
    /** Its name in results. */
    String name();

    /**
     * Starts it on loopback with what the folder holds, and waits until it takes a topic.
     *
     * @param durable whether an acknowledgement means flushed to the device; otherwise it means taken into memory
     * @throws IOException if it does not start; the text names the file with its output
     */
    RunningServer start(boolean durable, Path folder) throws IOException;

    /**
     * Starts three brokers on loopback that are one group, and a name server, and waits until the group's leader takes a topic.
     *
     * @param durable whether an acknowledgement means flushed on a majority; otherwise it means taken into a majority's memory
     * @throws IOException if they do not start; the text names the file with their output
     */
    RunningServer startGroup(boolean durable, Path folder) throws IOException;

    /** Where it keeps what it derives from its log, in the folder that it was started with. */
    List<Path> indexes(Path folder);
}
