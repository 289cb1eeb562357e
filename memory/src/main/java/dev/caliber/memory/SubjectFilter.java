package dev.caliber.memory;

import dev.caliber.memory.record.SubjectScope;
import dev.caliber.store.search.SearchFilter;
import java.util.List;
import java.util.Optional;

/** Which documents of the search index a reader may see. */
public final class SubjectFilter {
  private SubjectFilter() {}

  /** Documents of the scope's subjects and those without one; empty where the scope sees all. */
  public static Optional<SearchFilter> of(SubjectScope scope) {
    return scope.all()
        ? Optional.empty()
        : Optional.of(
            new SearchFilter.Any(
                List.of(
                    SearchFilter.anyOf(
                        Searchables.SUBJECT, scope.subjects().stream().sorted().toList()),
                    new SearchFilter.Not(new SearchFilter.Has(Searchables.SUBJECT)))));
  }
}
