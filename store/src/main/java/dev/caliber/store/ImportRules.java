package dev.caliber.store;

import java.util.Set;

/**
 * What an import takes over from its file.
 *
 * @param include what it leaves out or refuses unless it is named here: the server's own space and
 *     tables whose records make a server act
 */
public record ImportRules(ImportMode mode, Set<String> include) {

  public ImportRules {
    include = Set.copyOf(include);
  }

  /** Takes over nothing that has to be named. */
  public static ImportRules of(ImportMode mode) {
    return new ImportRules(mode, Set.of());
  }
}
