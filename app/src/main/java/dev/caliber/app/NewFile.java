package dev.caliber.app;

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

/** A file that appears under its name only when it is complete and on the disk. */
final class NewFile {
  private static final String UNFINISHED = ".partial";
  private static final Set<PosixFilePermission> WRITING =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private NewFile() {}

  /** Lets the work write it; a failure leaves nothing of this run, and nothing else is touched. */
  static <T> T write(Path target, Function<OutputStream, T> work) throws IOException {
    return write(target, FileChannel::open, work);
  }

  /** Writes a file that only its owner can read. */
  static <T> T writePrivate(Path target, Function<OutputStream, T> work) throws IOException {
    return write(target, PrivateFiles::open, work);
  }

  private static <T> T write(Path target, Opening opening, Function<OutputStream, T> work)
      throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    Path made = unfinished;
    try (FileChannel channel = create(unfinished, opening)) {
      try {
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
        T result = work.apply(out);
        out.flush();
        channel.force(true);
        made = Files.move(unfinished, target);
        forceDirectory(target);
        return result;
      } catch (Throwable e) {
        delete(made, e);
        throw e;
      }
    }
  }

  /**
   * Puts the text in place of a file's content in one step; whoever reads it meanwhile sees the old
   * or the new, and who may read and write it stays.
   */
  static void replace(Path file, String text) throws IOException {
    Path target = file.toRealPath();
    requireWritable(target);
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    try (FileChannel channel = create(unfinished, FileChannel::open)) {
      try {
        OutputStream out = Channels.newOutputStream(channel);
        out.write(text.getBytes(StandardCharsets.UTF_8));
        channel.force(true);
        copyPermissions(target, unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(target);
      } catch (Throwable e) {
        delete(unfinished, e);
        throw e;
      }
    }
  }

  /** Makes the file, or replaces what it holds. */
  static void put(Path file, String text) throws IOException {
    if (Files.exists(file)) {
      replace(file, text);
    } else {
      make(file, text);
    }
  }

  /** Makes a file that must not be there. */
  static void make(Path file, String text) throws IOException {
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

  /** Somebody has protected it, also from those who may write everything. */
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

  /** How a file is made. */
  private interface Opening {
    FileChannel open(Path file, OpenOption... options) throws IOException;
  }

  private static FileChannel create(Path unfinished, Opening opening) throws IOException {
    try {
      return opening.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException _) {
      throw AppException.fileExists(
          unfinished,
          "Another command may be writing it; if none is, move it away. It was not touched.");
    }
  }

  /** So that the new name is on the disk too, where directories can be flushed. */
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

  private static void delete(Path made, Throwable reason) {
    try {
      Files.deleteIfExists(made);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }
}
