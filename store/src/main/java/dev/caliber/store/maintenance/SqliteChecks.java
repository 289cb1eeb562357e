package dev.caliber.store.maintenance;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.Durability;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sqlite.DirectoryPermissions;
import dev.caliber.store.jdbc.sqlite.SqliteFile;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Checks of a SQLite file, its settings and its disk. */
final class SqliteChecks {

  private static final int NORMAL = 1;
  private static final int FULL = 2;
  private static final int PERCENT = 100;

  private SqliteChecks() {}

  static StoreCheck integrity() {
    return StoreCheck.of("integrity", SqliteChecks::checkIntegrity);
  }

  static StoreCheck settings(Durability durability) {
    return StoreCheck.of(
        "settings",
        (databaseSession, doctorFindingCollector) ->
            checkSettings(databaseSession, durability, doctorFindingCollector));
  }

  static StoreCheck freeDisk(Path directory, StoreConfig.DoctorSettings limits) {
    return StoreCheck.of(
        "free disk",
        (_, doctorFindingCollector) -> checkFreeDisk(directory, limits, doctorFindingCollector));
  }

  static StoreCheck permissions(Path directory) {
    return StoreCheck.of(
        "permissions",
        (_, doctorFindingCollector) -> checkPermissions(directory, doctorFindingCollector));
  }

  private static void checkPermissions(
      Path directory, DoctorFindingCollector doctorFindingCollector) {
    try {
      for (Path path : DirectoryPermissions.accessibleToOthers(directory)) {
        doctorFindingCollector.warning(
            DoctorFindingCode.FILE_PERMISSIONS_TOO_OPEN,
            path.toString(),
            "other users of this machine may read this file",
            "Let its owner run 'chmod go= %s'.".formatted(path));
      }
    } catch (IOException e) {
      doctorFindingCollector.warning(
          DoctorFindingCode.CHECK_FAILED,
          directory.toString(),
          "the permissions of the store's files cannot be read: " + e.getMessage(),
          "Check the permissions of the directory by hand.");
    }
  }

  private static void checkIntegrity(
      DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    try (Statement statement = databaseSession.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
      while (rows.next()) {
        String line = String.valueOf(rows.getString(1));
        if (!line.equals("ok")) {
          doctorFindingCollector.error(
              DoctorFindingCode.ENGINE_DAMAGED,
              "the file",
              line,
              "Stop the store, keep a copy of it, and restore the last backup.");
        }
      }
    }
  }

  private static void checkSettings(
      DatabaseSession databaseSession,
      Durability durability,
      DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    String journal = SqliteFile.text(databaseSession, "PRAGMA journal_mode");
    if (!journal.equals("wal")) {
      reportUnsafe(doctorFindingCollector, "journal_mode", journal, "wal");
    }
    long synchronous = SqliteFile.number(databaseSession, "PRAGMA synchronous");
    int wanted = durability == Durability.FULL ? FULL : NORMAL;
    if (synchronous < wanted) {
      reportUnsafe(
          doctorFindingCollector,
          "synchronous",
          Long.toString(synchronous),
          Integer.toString(wanted));
    }
  }

  private static void reportUnsafe(
      DoctorFindingCollector doctorFindingCollector, String setting, String found, String wanted) {
    doctorFindingCollector.error(
        DoctorFindingCode.UNSAFE_SETTING,
        setting,
        "is %s, expected %s".formatted(found, wanted),
        "Let no other program change the settings of the database file, then open the store again.");
  }

  private static void checkFreeDisk(
      Path directory,
      StoreConfig.DoctorSettings limits,
      DoctorFindingCollector doctorFindingCollector) {
    try {
      FileStore disk = Files.getFileStore(directory);
      long free = disk.getUsableSpace();
      double share = (double) free / Math.max(1, disk.getTotalSpace());
      if (free < limits.freeDisk().bytes() || share < limits.freeDiskShare()) {
        doctorFindingCollector.warning(
            DoctorFindingCode.LOW_DISK_SPACE,
            directory.toString(),
            "%d MiB are free, which is %d %% of the disk"
                .formatted(free / DataSize.parse("1MiB").bytes(), Math.round(share * PERCENT)),
            "Free some disk space, or move the store. The settings store.doctor.free-disk and store.doctor.free-disk-share say when the doctor warns.");
      }
    } catch (IOException e) {
      doctorFindingCollector.warning(
          DoctorFindingCode.CHECK_FAILED,
          directory.toString(),
          "the free disk space cannot be read: " + e.getMessage(),
          "Check the free disk space by hand.");
    }
  }

  static List<StoreCheck> all(
      Path directory, Durability durability, StoreConfig.DoctorSettings limits) {
    return List.of(
        integrity(), settings(durability), permissions(directory), freeDisk(directory, limits));
  }
}
