package dev.caliber.store.jdbc.sqlite;

import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Check of a file's header before SQLite opens it: opening would turn another application's
 * database into one with a write-ahead log, read a torn last page as zeros, and drop the log of a
 * file that was emptied.
 */
final class SqliteHeader {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /** Positions and values of the file format, version 3. */
  private static final class FileFormat {
    static final int SIZE = 100;
    static final int PAGE_SIZE = 16;
    static final int WRITE_VERSION = 18;
    static final int WRITE_AHEAD = 2;
    static final int CHANGE_COUNTER = 24;
    static final int PAGES = 28;
    static final int SCHEMA_COOKIE = 40;
    static final int APPLICATION_ID = 68;
    static final int VALID_FOR = 92;
    static final int LARGEST_PAGE = 65_536;
  }

  private SqliteHeader() {}

  static void check(Path file, Path log) {
    try {
      if (!Files.exists(file)) {
        return;
      }
      boolean logged = Files.exists(log) && Files.size(log) > 0;
      long size = Files.size(file);
      if (size == 0) {
        requireWhole(file, !logged, "the file is empty, but its write-ahead log is not");
        return;
      }
      ByteBuffer header = read(file);
      requireOurs(file, header);
      if (!logged) {
        requirePages(file, header, size);
      }
    } catch (IOException e) {
      throw StoreException.unreadable(file.toString(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Refuses a missing or empty store beside search indexes: it has lost its records and is not new.
   */
  static void requireNoIndex(Path file, Path indexes) {
    try {
      boolean isThere = Files.exists(file);
      if ((isThere && Files.size(file) > 0) || !Files.isDirectory(indexes)) {
        return;
      }
      try (Stream<Path> spaces = Files.list(indexes)) {
        Optional<Path> indexed = spaces.filter(Files::isDirectory).sorted().findFirst();
        if (indexed.isPresent()) {
          throw StoreException.storeFileMissing(file, isThere, indexed.get());
        }
      }
    } catch (IOException e) {
      throw StoreException.unreadable(file.toString(), String.valueOf(e.getMessage()));
    }
  }

  private static ByteBuffer read(Path file) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(FileFormat.SIZE);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (header.hasRemaining() && channel.read(header) >= 0) {
        // Reads on until the header is full or the file ends.
      }
    }
    return header;
  }

  private static void requireOurs(Path file, ByteBuffer header) {
    if (header.hasRemaining()
        || !ByteBuffer.wrap(MAGIC).equals(header.duplicate().flip().limit(MAGIC.length))) {
      throw StoreException.unreadable(file.toString(), "the file is not a SQLite database");
    }
    int application = header.getInt(FileFormat.APPLICATION_ID);
    // A store whose first commit was interrupted has its application id in the log, or nothing in
    // the file.
    boolean begun =
        application == 0
            && (header.get(FileFormat.WRITE_VERSION) == FileFormat.WRITE_AHEAD
                || header.getInt(FileFormat.SCHEMA_COOKIE) == 0);
    if (application != StoreFormatV1.APPLICATION_ID && !begun) {
      throw StoreException.unreadable(
          file.toString(), "the file is a SQLite database, but not a store");
    }
  }

  /** Checks the file's length: without a log it must have the length that its header states. */
  private static void requirePages(Path file, ByteBuffer header, long size) {
    int stored = Short.toUnsignedInt(header.getShort(FileFormat.PAGE_SIZE));
    long page = stored == 1 ? FileFormat.LARGEST_PAGE : stored;
    boolean counted =
        header.getInt(FileFormat.CHANGE_COUNTER) == header.getInt(FileFormat.VALID_FOR);
    long pages = Integer.toUnsignedLong(header.getInt(FileFormat.PAGES));
    requireWhole(
        file,
        page > 0 && size % page == 0 && !(counted && size < pages * page),
        "the file has %d bytes, but should have %d pages of %d bytes".formatted(size, pages, page));
  }

  private static void requireWhole(Path file, boolean whole, String reason) {
    if (!whole) {
      throw StoreException.corrupt("%s is damaged: %s".formatted(file, reason));
    }
  }
}
