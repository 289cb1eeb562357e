package dev.caliber.kernel.config;

/** The storages that the language has words for; {@link Catalogue} says which there are. */
public enum AdapterType {
  POSTGRES,
  SQLITE,
  REDIS,
  LIBSQL,
  COCKROACHDB
}
