package dev.caliber.kernel;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and directories that only their owner can read, from the moment they are made. On a file
 * system without POSIX permissions they get what that file system gives.
 */
public final class PrivateFiles {

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?>[] NONE = {};

  private PrivateFiles() {}

  /** Makes a directory and the parents that are missing; one that is there stays as it is. */
  public static Path createDirectories(Path directory) throws IOException {
    return Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /** Makes an empty file that must not be there. */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, attributes(file, FILE));
  }

  /** Opens a file; one that is made by that is its owner's alone. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), attributes(file, FILE));
  }

  /** Whether other users have any right to the file or directory. */
  public static boolean isOpenToOthers(Path path) throws IOException {
    return isPosix(path) && !DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
  }

  /** Takes the rights of other users to an existing file or directory away. */
  public static void close(Path path) throws IOException {
    if (isPosix(path)) {
      Files.setPosixFilePermissions(path, Files.isDirectory(path) ? DIRECTORY : FILE);
    }
  }

  private static FileAttribute<?>[] attributes(Path near, Set<PosixFilePermission> permissions) {
    return isPosix(near)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : NONE;
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
