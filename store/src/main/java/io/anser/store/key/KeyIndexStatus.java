package io.anser.store.key;

/**
 * How large the key index is and how far it goes.
 *
 * @param entries keys of messages, in files and in memory; about two per message of a usual producer
 * @param files how many files
 * @param fileBytes bytes of the files: 8 per entry and a little
 * @param memoryBytes bytes held in memory
 * @param missingBytes bytes of the retained log that must still be read before look-ups there are answered
 */
public record KeyIndexStatus(long entries, int files, long fileBytes, long memoryBytes, long missingBytes) {}
