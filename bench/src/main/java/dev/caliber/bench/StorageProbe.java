package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
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
 * Measures reads of a store that somebody uses, and writes nothing: not a table, not a log, not a
 * lock.
 *
 * <p>It therefore does not open the store as Caliber does, but its file, read-only. A file without
 * a log beside it belongs to nobody at the moment and is read as immutable; otherwise SQLite reads
 * the log too, beside the process that writes it.
 */
final class StorageProbe implements AutoCloseable {

  private static final String FILE = "caliber.db";
  private static final int SAMPLED_KEYS = 2_000;
  private static final int PAGE = 50;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final long SEED = 7;

  private final Connection connection;
  private final Chance chance = Chance.seeded(SEED);

  private StorageProbe(Connection connection) {
    this.connection = connection;
  }

  /** Where one row is. */
  private record Place(String space, String key) {}

  static StorageProbe open(Path directory) {
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

  static KernelException unreadable(Path directory, SQLException e) {
    return KernelException.invalidValue(
        "--data",
        "a store that SQLite can read (it says: %s)".formatted(e.getMessage()),
        directory.toString());
  }

  void measure(Report report, Knobs knobs, Progress progress) throws SQLException {
    for (String table : tables()) {
      List<Place> places = somePlaces(table);
      if (places.isEmpty()) {
        continue;
      }
      progress.part("table " + table);
      Report.Section section = report.section("storage probe", "table " + table);
      section.add("rows sampled", places.size(), Figure.Unit.COUNT);
      try (PreparedStatement one =
              connection.prepareStatement(
                  "SELECT body FROM \"%s\" WHERE space = ? AND key = ?".formatted(table));
          PreparedStatement page =
              connection.prepareStatement(
                  "SELECT body FROM \"%s\" WHERE space = ? AND key >= ? ORDER BY key LIMIT %d"
                      .formatted(table, PAGE))) {
        Contest contest =
            new Contest(Contest.FINE)
                .enter("point reads", time -> run(one, places, time))
                .enter("pages of %d rows".formatted(PAGE), time -> run(page, places, time))
                .run(knobs, progress);
        for (String name : List.of("point reads", "pages of %d rows".formatted(PAGE))) {
          Measured total = contest.total(name);
          section.add(name, total.perSecond(), Figure.Unit.PER_SECOND);
          section.add(name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
          section.add(name + ", p99", total.micros(HIGH), Figure.Unit.MICROS);
        }
      }
    }
  }

  private Measured run(PreparedStatement statement, List<Place> places, Duration time) {
    return Load.alone(
        time,
        _ -> {
          Place place = places.get(chance.nextInt(places.size()));
          try {
            statement.setString(1, place.space);
            statement.setString(2, place.key);
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                Json.mapper().readTree(rows.getBytes(1));
              }
            }
          } catch (SQLException e) {
            throw BenchException.rawSide(e);
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

  /** Rows from all over the table, found by their row numbers. */
  private List<Place> somePlaces(String table) throws SQLException {
    List<Place> places = new ArrayList<>();
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
            places.add(new Place(rows.getString(1), rows.getString(2)));
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
      throw BenchException.rawSide(e);
    }
  }
}
