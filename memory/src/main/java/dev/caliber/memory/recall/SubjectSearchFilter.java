package dev.caliber.memory.recall;

import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.store.search.SearchFilter;
import java.util.List;
import java.util.Optional;

/** Filter for the documents of the search index that a reader may see. */
public final class SubjectSearchFilter {
  private SubjectSearchFilter() {}

  /** Returns a filter for the scope's subjects and no subject; empty if it sees all. */
  public static Optional<SearchFilter> visibleDocuments(ReadableSubjects scope) {
    return scope.all()
        ? Optional.empty()
        : Optional.of(
            new SearchFilter.AnyOf(
                List.of(
                    SearchFilter.anyOf(
                        SearchableMemoryRecords.SUBJECT,
                        scope.subjects().stream().sorted().toList()),
                    new SearchFilter.Not(new SearchFilter.Has(SearchableMemoryRecords.SUBJECT)))));
  }
}
