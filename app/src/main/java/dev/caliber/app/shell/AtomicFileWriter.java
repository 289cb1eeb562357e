package dev.caliber.app.shell;

import dev.caliber.kernel.PrivateFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** Writes a file that appears under its name only when it is complete and on the disk. */
public final class AtomicFileWriter {
  private static final String UNFINISHED = ".partial";
  private static final Set<PosixFilePermission> WRITING =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private AtomicFileWriter() {}

  /** Writes the file; after a failure nothing of this run is left, and no other file is changed. */
  static <T> T write(Path target, Function<OutputStream, T> work) throws IOException {
    return write(target, FileChannel::open, work);
  }

  /** Writes a file that only its owner can read. */
  public static <T> T writePrivate(Path target, Function<OutputStream, T> work) throws IOException {
    return write(target, PrivateFiles::open, work);
  }

  private static <T> T write(Path target, FileOpener fileOpener, Function<OutputStream, T> work)
      throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    Path made = unfinished;
    try (FileChannel channel = openPartial(unfinished, fileOpener)) {
      try {
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
        T result = work.apply(out);
        out.flush();
        channel.force(true);
        made = Files.move(unfinished, target);
        forceDirectory(target);
        return result;
      } catch (Throwable e) {
        deletePartial(made, e);
        throw e;
      }
    }
  }

  /**
   * Replaces the content of a file in one step. A concurrent reader sees the old text or the new
   * one; owner and permissions are preserved.
   */
  public static void replace(Path file, String text) throws IOException {
    Path target = file.toRealPath();
    requireWritable(target);
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    try (FileChannel channel = openPartial(unfinished, FileChannel::open)) {
      try {
        OutputStream out = Channels.newOutputStream(channel);
        out.write(text.getBytes(StandardCharsets.UTF_8));
        channel.force(true);
        copyPermissions(target, unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(target);
      } catch (Throwable e) {
        deletePartial(unfinished, e);
        throw e;
      }
    }
  }

  /** Creates the file, or replaces its content. */
  public static void createOrReplace(Path file, String text) throws IOException {
    if (Files.exists(file)) {
      replace(file, text);
    } else {
      createNew(file, text);
    }
  }

  /** Creates the file; refuses if it exists. */
  public static void createNew(Path file, String text) throws IOException {
    write(file, out -> writeTo(out, text));
  }

  private static boolean writeTo(OutputStream out, String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Respects write protection also for users who may write every file. */
  private static void requireWritable(Path file) throws IOException {
    boolean writable =
        isPosix(file)
            ? Files.getPosixFilePermissions(file).stream().anyMatch(WRITING::contains)
            : Files.isWritable(file);
    if (!writable) {
      throw AppException.readOnly(file);
    }
  }

  private static void copyPermissions(Path from, Path to) throws IOException {
    if (isPosix(from)) {
      PosixFileAttributes wanted = Files.readAttributes(from, PosixFileAttributes.class);
      PosixFileAttributeView made = Files.getFileAttributeView(to, PosixFileAttributeView.class);
      PosixFileAttributes found = made.readAttributes();
      if (!wanted.owner().equals(found.owner())) {
        made.setOwner(wanted.owner());
      }
      if (!wanted.group().equals(found.group())) {
        made.setGroup(wanted.group());
      }
      made.setPermissions(wanted.permissions());
    }
  }

  /** Opens a new file for writing. */
  private interface FileOpener {
    FileChannel open(Path file, OpenOption... options) throws IOException;
  }

  private static FileChannel openPartial(Path unfinished, FileOpener fileOpener)
      throws IOException {
    try {
      return fileOpener.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException _) {
      throw AppException.fileExists(
          unfinished,
          "Another command may be writing it. If none is, move it away. It was not changed.");
    }
  }

  /** Flushes the directory, if the file system can, so that the new name is on the disk. */
  private static void forceDirectory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && isPosix(directory)) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void deletePartial(Path made, Throwable reason) {
    try {
      Files.deleteIfExists(made);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }
}
