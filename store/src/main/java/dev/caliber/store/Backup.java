package dev.caliber.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;

/**
 * Writes a backup beside its final name and moves it there when it is complete and on disk, so that
 * a file with that name is always a whole backup.
 */
final class Backup {

  private static final String PHASE = "backup";

  private final JdbcRecordStore store;
  private final Progress progress;

  Backup(JdbcRecordStore store, Progress progress) {
    this.store = store;
    this.progress = progress;
  }

  BackupReport write(Path file) {
    if (Files.exists(file)) {
      throw StoreException.fileExists(file.toString());
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      Files.createFile(partial);
      try {
        return fill(partial, file);
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (FileAlreadyExistsException e) {
      throw StoreException.fileExists(String.valueOf(e.getFile()));
    } catch (AccessDeniedException _) {
      throw StoreException.readOnly(partial.toString());
    } catch (IOException e) {
      throw StoreException.fileFailed("Writing", partial.toString(), e);
    }
  }

  private BackupReport fill(Path partial, Path file) throws IOException {
    store.onKeeper(session -> store.engine().copyTo(session, partial, store.catalogue(), progress));
    long records = count(partial);
    force(partial, StandardOpenOption.WRITE);
    Files.move(partial, file);
    Path directory = file.getParent();
    if (directory != null
        && directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      force(directory, StandardOpenOption.READ);
    }
    progress.at(PHASE, records, records);
    return new BackupReport(file, records, Files.size(file));
  }

  private static long count(Path partial) {
    try (Session session = SqliteFile.open(partial)) {
      long records = 0;
      for (RegisteredTable table : RegisteredTable.all(session)) {
        records += table.count(session);
      }
      return records;
    } catch (SQLException e) {
      throw StoreException.engineFailed("Reading the backup again", e);
    }
  }

  private static void force(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }
}
