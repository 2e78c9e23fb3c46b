package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A folder that this process has locked for itself. The lock goes with the process, however it ends; the lock file stays
 * and names the process that had the folder last.
 */
final class DataFolder implements AutoCloseable {
    private static final String DATABASE_FILE = "keelson.db";
    private static final String LOCK_FILE = "keelson.lock";
    private static final int MAX_PID_BYTES = 32;

    // The system's file locks belong to the process and are lost when it closes any channel on the file, so a folder
    // that
    // this process has must not even be looked at.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;
    private final FileLock lock;

    private DataFolder(Path folder, FileChannel channel, FileLock lock) {
        this.folder = folder;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * @throws DataFolderLockedException where another store has the folder
     * @throws StorageException.Unreachable where it cannot be made or written
     */
    static DataFolder lock(String path) {
        try {
            Path wanted = Path.of(path).toAbsolutePath().normalize();
            create(wanted);
            Path folder = wanted.toRealPath();
            if (!HELD.add(folder)) {
                throw new DataFolderLockedException(
                        folder, Long.toString(ProcessHandle.current().pid()));
            }
            try {
                return lockFile(folder);
            } catch (IOException | RuntimeException e) {
                HELD.remove(folder);
                throw e;
            }
        } catch (IOException e) {
            throw new StorageException.Unreachable("cannot use the data folder " + path + ": " + e, e);
        }
    }

    private static void create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }

    private static DataFolder lockFile(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve(LOCK_FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new DataFolderLockedException(folder, readPid(channel));
            }
            channel.truncate(0);
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.write(ByteBuffer.wrap(pid), 0);
            return new DataFolder(folder, channel, lock);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static String readPid(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_PID_BYTES);
        channel.read(buffer, 0);
        buffer.flip();
        return StandardCharsets.US_ASCII.decode(buffer).toString().strip();
    }

    Path database() {
        return folder.resolve(DATABASE_FILE);
    }

    @Override
    public void close() {
        try (channel) {
            lock.release();
        } catch (IOException e) {
            throw new StorageException.Unreachable("cannot unlock the data folder " + folder, e);
        } finally {
            HELD.remove(folder);
        }
    }
}
