package dev.caliber.kernel.config;

/** Storages that the language has keywords for; {@link Catalogue} lists the supported ones. */
public enum AdapterType {
  POSTGRES,
  SQLITE,
  REDIS,
  LIBSQL,
  COCKROACHDB
}
