package dev.caliber.store.maintenance;

import dev.caliber.kernel.PrivateFiles;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sqlite.SqliteFile;
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
  private final ProgressListener progressListener;

  Backup(JdbcRecordStore store, ProgressListener progressListener) {
    this.store = store;
    this.progressListener = progressListener;
  }

  BackupReport write(Path file) {
    if (Files.exists(file)) {
      throw StoreException.fileExists(file.toString());
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      PrivateFiles.createFile(partial);
      try {
        return writePartial(partial, file);
      } catch (Throwable e) {
        deleteSuppressing(e, partial);
        throw e;
      }
    } catch (FileAlreadyExistsException e) {
      throw StoreException.fileExists(String.valueOf(e.getFile()));
    } catch (AccessDeniedException _) {
      throw StoreException.readOnly(partial.toString());
    } catch (IOException e) {
      throw StoreException.fileFailed("Writing", partial.toString(), e);
    }
  }

  private BackupReport writePartial(Path partial, Path file) throws IOException {
    store.runAsKeeper(
        databaseSession ->
            store
                .engine()
                .copyTo(databaseSession, partial, store.declaredTables(), progressListener));
    long records = count(partial);
    force(partial, StandardOpenOption.WRITE);
    BackupReport report = new BackupReport(file, records, Files.size(partial));
    progressListener.onProgress(PHASE, records, records);
    Files.move(partial, file);
    try {
      forceDirectory(file);
    } catch (Throwable e) {
      deleteSuppressing(e, file);
      throw e;
    }
    return report;
  }

  /**
   * Flushes the directory, so that the new name is on disk too, where directories can be flushed.
   */
  private static void forceDirectory(Path file) throws IOException {
    Path directory = file.getParent();
    if (directory != null
        && directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      force(directory, StandardOpenOption.READ);
    }
  }

  private static void deleteSuppressing(Throwable first, Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      first.addSuppressed(e);
    }
  }

  private static long count(Path partial) {
    try (DatabaseSession databaseSession = SqliteFile.open(partial)) {
      long records = 0;
      for (RegisteredTable table : RegisteredTable.readAll(databaseSession)) {
        records += table.count(databaseSession);
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
