package dev.caliber.store.jdbc.sqlite;

import dev.caliber.kernel.PrivateFiles;
import dev.caliber.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lock of this process on a store's directory. The lock file names its holder, for messages. */
final class DirectoryLock implements AutoCloseable {

  static final String FILE_NAME = "caliber.lock";

  /*
   * Closing any channel of a file releases this process's lock on it. Therefore a directory that
   * this process has locked is refused before its lock file is opened again.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path held;
  private final FileChannel channel;

  private DirectoryLock(Path held, FileChannel channel) {
    this.held = held;
    this.channel = channel;
  }

  static DirectoryLock acquire(Path directory) {
    try {
      PrivateFiles.createDirectories(directory);
      Path real = directory.toRealPath();
      if (!HELD.add(real)) {
        throw StoreException.inUse(directory.toString(), "this process");
      }
      try {
        return acquire(directory, real);
      } catch (Throwable e) {
        HELD.remove(real);
        throw e;
      }
    } catch (AccessDeniedException _) {
      throw StoreException.readOnly(directory.toString());
    } catch (FileSystemException e) {
      throw refused(directory, e);
    } catch (IOException e) {
      throw refused(directory, String.valueOf(e.getMessage()), e);
    }
  }

  private static DirectoryLock acquire(Path directory, Path real) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    FileChannel channel =
        PrivateFiles.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (tryLock(channel) == null) {
        throw StoreException.inUse(directory.toString(), holder(file));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new DirectoryLock(real, channel);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static StoreException refused(Path directory, FileSystemException e) {
    String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
    return refused(directory, reason, e);
  }

  private static StoreException refused(Path directory, String reason, IOException e) {
    return reason.contains("Read-only")
        ? StoreException.readOnly(directory.toString())
        : reason.contains("No space left")
            ? StoreException.diskFull(directory.toString(), e)
            : StoreException.unreadable(directory.toString(), reason);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null;
    }
  }

  private static String holder(Path file) {
    try {
      String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
      return pid.isEmpty() ? "another process" : "process " + pid;
    } catch (IOException _) {
      return "another process";
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      HELD.remove(held);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
