package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What can be wrong with a SQLite file, its settings and its disk. */
final class SqliteChecks {

  private static final int NORMAL = 1;
  private static final int FULL = 2;
  private static final int PERCENT = 100;

  private SqliteChecks() {}

  static Check integrity() {
    return Check.of("integrity", SqliteChecks::integrity);
  }

  static Check settings(Durability durability) {
    return Check.of("settings", (session, findings) -> settings(session, durability, findings));
  }

  static Check freeDisk(Path directory, StoreConfig.Doctor limits) {
    return Check.of("free disk", (_, findings) -> freeDisk(directory, limits, findings));
  }

  static Check permissions(Path directory) {
    return Check.of("permissions", (_, findings) -> permissions(directory, findings));
  }

  private static void permissions(Path directory, Findings findings) {
    try {
      for (Path path : DataDirectory.openToOthers(directory)) {
        findings.warning(
            FindingCode.FILES_EXPOSED,
            path.toString(),
            "other users of this machine may read it",
            "Let its owner run 'chmod go= %s'.".formatted(path));
      }
    } catch (IOException e) {
      findings.warning(
          FindingCode.CHECK_FAILED,
          directory.toString(),
          "who may read it is unknown: " + e.getMessage(),
          "Look at its permissions yourself.");
    }
  }

  private static void integrity(Session session, Findings findings) throws SQLException {
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
      while (rows.next()) {
        String line = String.valueOf(rows.getString(1));
        if (!line.equals("ok")) {
          findings.error(
              FindingCode.ENGINE_DAMAGED,
              "the file",
              line,
              "Stop the store, keep a copy of it, and restore the last backup.");
        }
      }
    }
  }

  private static void settings(Session session, Durability durability, Findings findings)
      throws SQLException {
    String journal = SqliteFile.text(session, "PRAGMA journal_mode");
    if (!journal.equals("wal")) {
      unsafe(findings, "journal_mode", journal, "wal");
    }
    long synchronous = SqliteFile.number(session, "PRAGMA synchronous");
    int wanted = durability == Durability.FULL ? FULL : NORMAL;
    if (synchronous < wanted) {
      unsafe(findings, "synchronous", Long.toString(synchronous), Integer.toString(wanted));
    }
  }

  private static void unsafe(Findings findings, String setting, String found, String wanted) {
    findings.error(
        FindingCode.SETTING_UNSAFE,
        setting,
        "is %s, wanted is %s".formatted(found, wanted),
        "Let no other program change the file's settings; open the store again.");
  }

  private static void freeDisk(Path directory, StoreConfig.Doctor limits, Findings findings) {
    try {
      FileStore disk = Files.getFileStore(directory);
      long free = disk.getUsableSpace();
      double share = (double) free / Math.max(1, disk.getTotalSpace());
      if (free < limits.freeDisk().bytes() || share < limits.freeDiskShare()) {
        findings.warning(
            FindingCode.DISK_LOW,
            directory.toString(),
            "%d MiB are free, which is %d %% of the disk"
                .formatted(free / DataSize.parse("1MiB").bytes(), Math.round(share * PERCENT)),
            "Free some space, or move the store (store.doctor says when to warn).");
      }
    } catch (IOException e) {
      findings.warning(
          FindingCode.CHECK_FAILED,
          directory.toString(),
          "free disk is unknown: " + e.getMessage(),
          "Look at the disk yourself.");
    }
  }

  static List<Check> all(Path directory, Durability durability, StoreConfig.Doctor limits) {
    return List.of(
        integrity(), settings(durability), permissions(directory), freeDisk(directory, limits));
  }
}
