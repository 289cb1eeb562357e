package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.RandomSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures reads of a store in use, and writes nothing: no table, no log, no lock.
 *
 * <p>It therefore does not open the store as Caliber does, but its file, read-only. A file without
 * a log beside it is not in use and is read as immutable; otherwise SQLite reads the log too,
 * beside the process that writes it.
 */
public final class StorageProbe implements AutoCloseable {

  private static final String FILE = "caliber.db";
  private static final int SAMPLED_KEYS = 2_000;
  private static final int PAGE = 50;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final long SEED = 7;

  private final Connection connection;
  private final RandomSource randomSource = RandomSource.seeded(SEED);

  private StorageProbe(Connection connection) {
    this.connection = connection;
  }

  /** Space and key of one row. */
  private record RowLocation(String space, String key) {}

  public static StorageProbe open(Path directory) {
    Path file = directory.toAbsolutePath().resolve(FILE);
    if (!Files.isReadable(file)) {
      throw KernelException.invalidValue(
          "--data", "a directory with a readable " + FILE, directory.toString());
    }
    boolean idle = !Files.exists(file.resolveSibling(FILE + "-wal"));
    String mode = idle ? "?mode=ro&immutable=1" : "?mode=ro";
    try {
      return new StorageProbe(
          DriverManager.getConnection("jdbc:sqlite:file:" + file.toUri().getRawPath() + mode));
    } catch (SQLException e) {
      throw unreadable(directory, e);
    }
  }

  public static KernelException unreadable(Path directory, SQLException e) {
    return KernelException.invalidValue(
        "--data",
        "a store that SQLite can read (it says: %s)".formatted(e.getMessage()),
        directory.toString());
  }

  public void measure(
      BenchReport benchReport,
      MeasurementSettings measurementSettings,
      ProgressPrinter progressPrinter)
      throws SQLException {
    for (String table : tables()) {
      List<RowLocation> places = sampleLocations(table);
      if (places.isEmpty()) {
        continue;
      }
      progressPrinter.startPart("table " + table);
      BenchReport.ReportSection reportSection =
          benchReport.section("storage probe", "table " + table);
      reportSection.add("rows sampled", places.size(), Figure.FigureUnit.COUNT);
      try (PreparedStatement one =
              connection.prepareStatement(
                  "SELECT body FROM \"%s\" WHERE space = ? AND key = ?".formatted(table));
          PreparedStatement page =
              connection.prepareStatement(
                  "SELECT body FROM \"%s\" WHERE space = ? AND key >= ? ORDER BY key LIMIT %d"
                      .formatted(table, PAGE))) {
        InterleavedMeasurement interleavedMeasurement =
            new InterleavedMeasurement(InterleavedMeasurement.FINE)
                .addContender("point reads", time -> run(one, places, time))
                .addContender("pages of %d rows".formatted(PAGE), time -> run(page, places, time))
                .run(measurementSettings, progressPrinter);
        for (String name : List.of("point reads", "pages of %d rows".formatted(PAGE))) {
          Measurement total = interleavedMeasurement.totalOf(name);
          reportSection.add(name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
          reportSection.add(name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
          reportSection.add(name + ", p99", total.micros(HIGH), Figure.FigureUnit.MICROS);
        }
      }
    }
  }

  private Measurement run(PreparedStatement statement, List<RowLocation> places, Duration time) {
    return Load.runAlone(
        time,
        _ -> {
          RowLocation rowLocation = places.get(randomSource.nextInt(places.size()));
          try {
            statement.setString(1, rowLocation.space);
            statement.setString(2, rowLocation.key);
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                Json.mapper().readTree(rows.getBytes(1));
              }
            }
          } catch (SQLException e) {
            throw BenchException.rawJdbcFailed(e);
          }
        });
  }

  private List<String> tables() throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM store_table ORDER BY name")) {
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
    }
    return tables;
  }

  /** Returns rows from all over the table, found by their row numbers. */
  private List<RowLocation> sampleLocations(String table) throws SQLException {
    List<RowLocation> places = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      long last;
      try (ResultSet rows =
          statement.executeQuery("SELECT max(rowid) FROM \"%s\"".formatted(table))) {
        rows.next();
        last = rows.getLong(1);
      }
      long step = Math.max(1, last / SAMPLED_KEYS);
      for (long row = 1; row <= last; row += step) {
        try (ResultSet rows =
            statement.executeQuery(
                "SELECT space, key FROM \"%s\" WHERE rowid >= %d LIMIT 1".formatted(table, row))) {
          if (rows.next()) {
            places.add(new RowLocation(rows.getString(1), rows.getString(2)));
          }
        }
      }
    }
    return places;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }
}
