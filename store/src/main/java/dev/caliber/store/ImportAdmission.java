package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides which lines of a file an import takes over. A checksum is no signature: the author of a
 * file may have put an API key, a webhook or a job into it.
 */
final class ImportAdmission {

  private static final String SERVER = SpaceId.SERVER.value();

  private final Set<String> include;
  private final SortedMap<String, Long> included = new TreeMap<>();
  private final SortedMap<String, Long> leftOut = new TreeMap<>();

  ImportAdmission(String file, Set<String> include, Catalogue catalogue) {
    Set<String> known =
        catalogue.all().stream()
            .map(TableRuntime::table)
            .filter(Table::isImportedByName)
            .map(Table::name)
            .collect(Collectors.toCollection(TreeSet::new));
    known.add(SERVER);
    for (String name : include) {
      if (!known.contains(name)) {
        throw StoreException.importRefused(
            file,
            "'%s' was to be included, but that name is never left out".formatted(name),
            "Name one of %s.".formatted(String.join(", ", known)));
      }
    }
    this.include = include;
  }

  /** Refuses a line that may not stand in the file at all. */
  void require(String place, ImportLine<?> line) {
    Table<?> table = line.runtime().table();
    if (table.isSecret()) {
      throw StoreException.importRefused(
          place,
          "a record of table '%s' is a secret, which no export holds".formatted(table.name()),
          "Remove the line, or do not trust the file.");
    }
    if (line.space().equals(SpaceId.SERVER) && !include.contains(SERVER)) {
      throw StoreException.importRefused(
          place,
          "the %s '%s' belongs to the server's own space '%s', where API keys are"
              .formatted(table.name(), line.key(), SERVER),
          "If you trust the file and want its keys to work here, add --include %s."
              .formatted(SERVER));
    }
  }

  /** Whether the line is taken over, counted for the report. */
  boolean takes(ImportLine<?> line) {
    Table<?> table = line.runtime().table();
    boolean own = line.space().equals(SpaceId.SERVER);
    boolean byName = table.isImportedByName();
    boolean taken = !byName || include.contains(table.name());
    if (own || byName) {
      String name = own ? SERVER + "/" + table.name() : table.name();
      (taken ? included : leftOut).merge(name, 1L, Long::sum);
    }
    return taken;
  }

  /** How many records were taken over because they were named, by table. */
  SortedMap<String, Long> included() {
    return included;
  }

  /** How many records were left out because they were not named, by table. */
  SortedMap<String, Long> leftOut() {
    return leftOut;
  }
}
