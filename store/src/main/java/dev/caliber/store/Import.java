package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks all of an export, then applies it in one transaction in which nobody else writes. Every
 * row that it writes in a space carries the sequence of one commit without changes.
 */
final class Import {

  private final JdbcRecordStore store;
  private final Path path;
  private final ImportFile file;
  private final ImportMode mode;
  private final ImportAdmission admission;
  private final Progress progress;

  Import(JdbcRecordStore store, Path path, ImportRules rules, Progress progress) {
    this.store = store;
    this.path = path;
    this.file = new ImportFile(path, store.catalogue(), store.config().writes());
    this.mode = rules.mode();
    this.admission = new ImportAdmission(path.toString(), rules.include(), store.catalogue());
    this.progress = progress;
  }

  ImportReport run() {
    String sha256 = check();
    List<Commit> commits = new ArrayList<>();
    ImportReport report = store.alone(session -> new Applying(session).run(sha256, commits));
    store.replaced(report.spaces(), commits);
    return report;
  }

  private String check() {
    try {
      return file.read("check", progress, admission::require);
    } catch (SQLException e) {
      throw StoreException.engineFailed("Checking an import", e);
    }
  }

  /** The one transaction. */
  private final class Applying {

    private final Session session;
    private final Instant now = Timestamps.truncate(store.clock().instant());
    private final Map<String, SpaceRow> spaces = new HashMap<>();
    private final Map<SpaceId, SpaceHead> touched = new TreeMap<>();
    private long created;
    private long replaced;
    private long skipped;

    Applying(Session session) {
      this.session = session;
    }

    ImportReport run(String checked, List<Commit> commits) throws SQLException {
      for (SpaceRow space : SpaceRow.all(session)) {
        spaces.put(space.name(), space);
      }
      String sha256 = file.read("import", progress, this::apply);
      if (!sha256.equals(checked)) {
        throw StoreException.importRefused(
            path.toString(), "the file was changed while it was read", "Import it again.");
      }
      for (Map.Entry<SpaceId, SpaceHead> entry : touched.entrySet()) {
        SpaceHead head = entry.getValue();
        SpaceId space = entry.getKey();
        row(space, head).put(session);
        commits.add(
            new Commit(space, head.sequence(), store.host(), head.hostCounter(), now, List.of()));
      }
      FeedSql.append(session, commits);
      return new ImportReport(
          created,
          replaced,
          skipped,
          new java.util.TreeSet<>(touched.keySet()),
          admission.included(),
          admission.leftOut());
    }

    private SpaceRow row(SpaceId space, SpaceHead head) {
      SpaceRow before = spaces.get(space.value());
      return new SpaceRow(space.value(), head, before == null ? now : before.createdAt());
    }

    /** What the space's head will be once this is committed. */
    private SpaceHead next(SpaceId space) {
      SpaceRow before = spaces.get(space.value());
      SpaceHead head = before == null ? new SpaceHead(0, 0, 0) : before.head();
      return new SpaceHead(head.epoch() + 1, head.sequence() + 1, head.hostCounter() + 1);
    }

    private <T> void apply(String place, ImportLine<T> line) throws SQLException {
      if (!admission.takes(line)) {
        return;
      }
      RowWriter<T> writer = new RowWriter<>(session, line.runtime());
      SpaceHead next = next(line.space());
      String space = line.space().value();
      Optional<Long> revision = writer.revision(space, line.key());
      if (revision.isPresent()) {
        requireFirst(place, line, revision.get(), next);
        if (mode == ImportMode.SKIP) {
          skipped++;
          return;
        }
        replace(place, writer, line, next);
        replaced++;
      } else {
        insert(place, writer, line, next);
        created++;
      }
      touched.put(line.space(), next);
    }

    /** A row that carries the import's own revision came from an earlier line. */
    private void requireFirst(String place, ImportLine<?> line, long found, SpaceHead next) {
      if (found == next.sequence()) {
        throw StoreException.importRefused(
            place,
            "%s is in this file twice".formatted(name(line)),
            "Remove one of the lines and export again.");
      }
      if (mode == ImportMode.FAIL) {
        throw StoreException.importRefused(
            place,
            "%s is in the store already".formatted(name(line)),
            "Skip or replace what is there.");
      }
    }

    private <T> void insert(String place, RowWriter<T> writer, ImportLine<T> line, SpaceHead next)
        throws SQLException {
      String space = line.space().value();
      StoredBody body = line.bodyAt(next.sequence());
      if (!writer.insert(space, line.key(), body, line.record())) {
        String index = writer.duplicated(space, line.record()).map(Index::name).orElse("");
        throw notUnique(place, line, index);
      }
    }

    private <T> void replace(String place, RowWriter<T> writer, ImportLine<T> line, SpaceHead next)
        throws SQLException {
      try {
        writer.update(
            line.space().value(), line.key(), line.bodyAt(next.sequence()), line.record());
      } catch (SQLException e) {
        StoreException reason = session.dialect().translate("Replacing a record", e);
        throw reason.code() == StoreErrorCode.INDEX_ERROR ? notUnique(place, line, "") : reason;
      }
    }

    private static StoreException notUnique(String place, ImportLine<?> line, String index) {
      return StoreException.importRefused(
          place,
          "%s repeats values that a unique index%s holds already"
              .formatted(name(line), index.isEmpty() ? "" : " '" + index + "'"),
          "Remove the line or the record that has these values.");
    }

    private static String name(ImportLine<?> line) {
      return "the %s '%s' of space '%s'"
          .formatted(line.runtime().table().name(), line.key(), line.space().value());
    }
  }
}
