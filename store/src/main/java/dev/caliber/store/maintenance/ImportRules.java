package dev.caliber.store.maintenance;

import java.util.Set;

/**
 * Rules for an import: what happens to existing keys, and which restricted records it accepts.
 *
 * @param include names of the restricted records to accept: the server's own space, and tables
 *     whose records make a server act
 */
public record ImportRules(ImportMode mode, Set<String> include) {

  public ImportRules {
    include = Set.copyOf(include);
  }

  /** Returns rules that accept no restricted records. */
  public static ImportRules of(ImportMode mode) {
    return new ImportRules(mode, Set.of());
  }
}
