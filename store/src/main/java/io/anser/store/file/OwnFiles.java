package io.anser.store.file;

import java.util.regex.Pattern;

/**
 * What one part of the store has in a folder, as the part itself declares it: whoever looks at all files takes the names from
 * here.
 *
 * @param folder name of the folder within the store
 * @param names of the part's files in it
 * @param areMadeAgain whether the files can be made again from the log
 * @param isFolderMade whether the folder is made where it is missing
 */
public record OwnFiles(String folder, Pattern names, boolean areMadeAgain, boolean isFolderMade) {
    /** Whether a name, without its folder, is that of a file of the part. */
    public boolean contains(String name) {
        return names.matcher(name).matches();
    }
}
