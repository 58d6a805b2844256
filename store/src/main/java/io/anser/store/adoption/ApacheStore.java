package io.anser.store.adoption;

import io.anser.store.file.ForeignFiles;
import io.anser.store.file.Storage;
import java.io.IOException;
import java.util.List;

/**
 * The store directory of an Apache broker: its log and the files of its settings.
 *
 * @param files all files of the directory
 * @param log the commit log
 */
public record ApacheStore(ForeignFiles files, ApacheLog log) {
    private static final String LOG = "log";
    private static final List<String> OURS = List.of(LOG, "index", "snapshot");

    /**
     * Opens a store that no Apache broker uses.
     *
     * @throws io.anser.store.file.StoreException IO when its log has a hole
     */
    public static ApacheStore open(ForeignFiles files) throws IOException {
        return new ApacheStore(files, ApacheLog.open(files));
    }

    /**
     * Removes what an adoption that was not completed has left in our own folder, durably.
     *
     * @throws io.anser.store.file.StoreException IO when another process has the log
     */
    public static void clearUnfinishedAdoption(Storage own) throws IOException {
        for (String directory : OURS) {
            List<String> names = own.list(directory);
            if (directory.equals(LOG)) {
                for (String name : names) {
                    own.openLocked(directory + "/" + name).close(); // refused where a process is just adopting
                }
            }
            for (String name : names) {
                own.delete(directory + "/" + name);
            }
            if (!names.isEmpty()) {
                own.forceDirectory(directory);
            }
        }
    }
}
