package io.anser.raft;

import java.nio.file.Path;

/**
 * How a member of a group works.
 *
 * @param directory where the engine keeps its term and its vote
 * @param electionTimeoutMillis without a word of the leader for so long, others stand for election
 * @param forcing whether an entry is on the device before it is confirmed
 */
public record GroupSettings(Path directory, int electionTimeoutMillis, boolean forcing) {}
