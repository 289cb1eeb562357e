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
 * system without POSIX permissions they get that file system's own.
 */
public final class PrivateFiles {

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?>[] NONE = {};

  private PrivateFiles() {}

  /** Creates a directory and its missing parents; an existing one is left unchanged. */
  public static Path createDirectories(Path directory) throws IOException {
    return Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /** Creates an empty file that must not exist. */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, attributes(file, FILE));
  }

  /** Opens a file; if this creates it, only its owner can read it. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), attributes(file, FILE));
  }

  /** Returns whether other users have any right to the file or directory. */
  public static boolean isAccessibleToOthers(Path path) throws IOException {
    return isPosix(path) && !DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
  }

  /** Removes the rights of other users to an existing file or directory. */
  public static void restrictToOwner(Path path) throws IOException {
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
