package io.keelson.storage.embedded;

import java.nio.file.Path;

/** The data folder belongs to a process that runs. A folder has one process at a time, so the start is given up. */
public final class DataFolderLockedException extends RuntimeException {
    private final Path folder;
    private final String pid;

    DataFolderLockedException(Path folder, String pid) {
        super("the data folder " + folder + " is in use by process " + (pid.isEmpty() ? "(unknown)" : pid)
                + ": stop that process, or choose another folder");
        this.folder = folder;
        this.pid = pid;
    }

    public Path folder() {
        return folder;
    }

    /** The process that has the folder, empty where it has not told its number. */
    public String pid() {
        return pid;
    }
}
