package io.anser.store.key;

import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the key index, named by the first log position that they cover and the one behind the last. */
final class KeyFolder {
    /** The name of a file that is being made from a run in memory. */
    static final String NEW = "keys-new";

    /** The name of a file that is being made from smaller ones. */
    static final String MERGED = "keys-merged";

    private static final Logger LOGGER = LoggerFactory.getLogger(KeyFolder.class);
    private static final String DIRECTORY = "index";
    private static final Pattern NAME = Pattern.compile("keys-\\d{20}-\\d{20}");

    static final OwnFiles OWN_FILES =
            new OwnFiles(DIRECTORY, Pattern.compile(NAME + "|" + NEW + "|" + MERGED), true, true);

    private final Storage storage;

    KeyFolder(Storage storage) {
        this.storage = storage;
    }

    static String fileName(long from, long until) {
        return String.format("keys-%020d-%020d", from, until);
    }

    /** The log position behind the last one that a file covers, as its name tells. */
    static long untilPosition(String name) {
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }

    /** The names of all finished files, sorted. */
    List<String> names() throws IOException {
        return storage.list(DIRECTORY).stream()
                .filter(name -> NAME.matcher(name).matches())
                .toList();
    }

    /** The files that can be used, in any order; what cannot be read is deleted, it will be built again. */
    List<KeyFile> open() throws IOException {
        List<KeyFile> files = new ArrayList<>();
        for (String name : storage.list(DIRECTORY)) {
            if (NAME.matcher(name).matches()) {
                Optional<KeyFile> usable = open(name);
                if (usable.isPresent()) {
                    files.add(usable.get());
                } else {
                    delete(name);
                }
            } else if (name.equals(NEW) || name.equals(MERGED)) {
                delete(name);
            }
        }
        return files;
    }

    /** One of the files; empty when it cannot be read, is damaged, or is of another version. */
    Optional<KeyFile> open(String name) {
        Optional<KeyFile> read = Optional.empty();
        try {
            StoreFile file = storage.open(path(name));
            try {
                read = KeyFile.read(file, name);
            } finally {
                if (read.isEmpty()) {
                    file.close();
                }
            }
        } catch (IOException e) {
            LOGGER.warn(
                    "key index file cannot be read, building it again from the log file={}",
                    storage.describe(path(name)),
                    e);
        }
        return read;
    }

    StoreFile begin(String temporary) throws IOException {
        storage.delete(path(temporary));
        return storage.open(path(temporary));
    }

    /** Removes a file that was begun and not published. */
    void discard(String temporary) throws IOException {
        delete(temporary);
    }

    void publish(String temporary, String name) throws IOException {
        storage.rename(path(temporary), path(name));
        storage.forceDirectory(DIRECTORY);
    }

    /** Retires and deletes a file. */
    void remove(KeyFile file) throws IOException {
        file.retire();
        delete(file.name());
    }

    private void delete(String name) throws IOException {
        storage.delete(path(name));
    }

    private static String path(String name) {
        return DIRECTORY + "/" + name;
    }
}
