package dev.caliber.memory;

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
 * The artifacts of a task or of one of its scopes, one query after the other, a portion at a time.
 * A place says which query it is in, and how far it has come there.
 */
record ArtifactWalk(Snapshot snapshot, List<Query<Artifact>> queries) {

  /** Some artifacts, and where the others begin, if there are any. */
  record Portion(List<Artifact> artifacts, Optional<PageCursor> next) {}

  ArtifactWalk {
    queries = List.copyOf(queries);
  }

  /** Those of a task, one type after the other, so that the other types are not walked through. */
  static ArtifactWalk ofTask(Snapshot snapshot, Id trajectory, Predicate<ArtifactType> wanted) {
    return new ArtifactWalk(
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

  /** All of a scope. */
  static ArtifactWalk ofScope(Snapshot snapshot, Id scope) {
    return new ArtifactWalk(snapshot, List.of(Query.over(Artifact.TABLE, "scope").equal(scope)));
  }

  /** From a place on, at most so many. */
  Portion from(Optional<PageCursor> from, int most) {
    List<Artifact> found = new ArrayList<>();
    Place place = from.flatMap(Place::read).orElse(Place.FIRST);
    while (found.size() < most && isIn(place)) {
      Query<Artifact> query = queries.get(place.query());
      Page<Artifact> page =
          snapshot.scan(place.in().map(query::resume).orElse(query), most - found.size());
      found.addAll(page.records());
      place = page.next().map(place::further).orElseGet(place::behind);
    }
    while (isIn(place) && isNothingIn(place)) {
      place = place.behind();
    }
    return new Portion(
        List.copyOf(found), Optional.of(place).filter(this::isIn).map(Place::written));
  }

  private boolean isIn(Place place) {
    return place.query() < queries.size();
  }

  private boolean isNothingIn(Place place) {
    return place.in().isEmpty() && snapshot.first(queries.get(place.query())).isEmpty();
  }

  /** Its text is the number of the query and, behind a blank, the query's own cursor. */
  private record Place(int query, Optional<PageCursor> in) {
    static final Place FIRST = new Place(0, Optional.empty());
    private static final String BLANK = " ";

    /** Nothing if it is the place of another walk, as an earlier version has left them. */
    static Optional<Place> read(PageCursor written) {
      String[] parts = written.text().split(BLANK, 2);
      return parts.length < 2
          ? Optional.empty()
          : Optional.of(
              new Place(
                  Integer.parseInt(parts[0]),
                  Optional.of(parts[1]).filter(text -> !text.isEmpty()).map(PageCursor::new)));
    }

    PageCursor written() {
      return new PageCursor(query + BLANK + in.map(PageCursor::text).orElse(""));
    }

    Place further(PageCursor next) {
      return new Place(query, Optional.of(next));
    }

    Place behind() {
      return new Place(query + 1, Optional.empty());
    }
  }
}
