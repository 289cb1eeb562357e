package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Pages through the artifacts of a trajectory or of one of its scopes, one query after the other.
 * The cursor names the query and the position in it.
 */
public record ArtifactScanner(Snapshot snapshot, List<Query<Artifact>> queries) {

  /** One page of artifacts, and the cursor of the next page, if there is one. */
  public record ArtifactBatch(List<Artifact> artifacts, Optional<PageCursor> next) {}

  public ArtifactScanner {
    queries = List.copyOf(queries);
  }

  /** Scans the wanted types of a trajectory, one query each, to skip rows of other types. */
  public static ArtifactScanner ofTask(
      Snapshot snapshot, Id trajectory, Predicate<ArtifactType> wanted) {
    return new ArtifactScanner(
        snapshot,
        Stream.of(ArtifactType.values())
            .filter(wanted)
            .sorted(Comparator.comparing(ArtifactType::name))
            .map(
                type ->
                    Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
                        .equal(trajectory, type.name()))
            .toList());
  }

  /** Scans all artifacts of a scope. */
  public static ArtifactScanner ofScope(Snapshot snapshot, Id scope) {
    return new ArtifactScanner(snapshot, List.of(Query.over(Artifact.TABLE, "scope").equal(scope)));
  }

  /** Reads at most {@code most} artifacts from the cursor on. */
  public ArtifactBatch readFrom(Optional<PageCursor> from, int most) {
    List<Artifact> found = new ArrayList<>();
    ArtifactScanPosition artifactScanPosition =
        from.flatMap(ArtifactScanPosition::parse).orElse(ArtifactScanPosition.FIRST);
    while (found.size() < most && isInRange(artifactScanPosition)) {
      Query<Artifact> query = queries.get(artifactScanPosition.query());
      Page<Artifact> page =
          snapshot.scan(
              artifactScanPosition.cursor().map(query::resume).orElse(query), most - found.size());
      found.addAll(page.records());
      artifactScanPosition =
          page.next()
              .map(artifactScanPosition::withCursor)
              .orElseGet(artifactScanPosition::nextQuery);
    }
    while (isInRange(artifactScanPosition) && isEmptyAt(artifactScanPosition)) {
      artifactScanPosition = artifactScanPosition.nextQuery();
    }
    return new ArtifactBatch(
        List.copyOf(found),
        Optional.of(artifactScanPosition)
            .filter(this::isInRange)
            .map(ArtifactScanPosition::toCursor));
  }

  private boolean isInRange(ArtifactScanPosition artifactScanPosition) {
    return artifactScanPosition.query() < queries.size();
  }

  private boolean isEmptyAt(ArtifactScanPosition artifactScanPosition) {
    return artifactScanPosition.cursor().isEmpty()
        && snapshot.first(queries.get(artifactScanPosition.query())).isEmpty();
  }

  /**
   * Position in the scan. Its text is the number of the query, a blank and the query's own cursor.
   */
  private record ArtifactScanPosition(int query, Optional<PageCursor> cursor) {
    static final ArtifactScanPosition FIRST = new ArtifactScanPosition(0, Optional.empty());
    private static final String BLANK = " ";

    /** Parses a cursor; empty for one that an earlier version has written in another format. */
    static Optional<ArtifactScanPosition> parse(PageCursor written) {
      String[] parts = written.text().split(BLANK, 2);
      return parts.length < 2
          ? Optional.empty()
          : Optional.of(
              new ArtifactScanPosition(
                  Integer.parseInt(parts[0]),
                  Optional.of(parts[1]).filter(text -> !text.isEmpty()).map(PageCursor::new)));
    }

    PageCursor toCursor() {
      return new PageCursor(query + BLANK + cursor.map(PageCursor::text).orElse(""));
    }

    ArtifactScanPosition withCursor(PageCursor next) {
      return new ArtifactScanPosition(query, Optional.of(next));
    }

    ArtifactScanPosition nextQuery() {
      return new ArtifactScanPosition(query + 1, Optional.empty());
    }
  }
}
