package dev.caliber.app.shell;

/** Requirement of a command on a store that no server holds. */
public enum StoreUse {
  /** The store exists; the embedding model is not loaded. */
  EXISTING,
  /** The store is created if it is missing; the embedding model is not loaded. */
  CREATED_IF_MISSING,
  /** The store exists, and the operation compares by meaning. */
  WITH_EMBEDDING_MODEL,
  /** The store exists, and the search compares words alone, which a server does not offer. */
  BY_WORDS_ALONE;

  /** Returns what a search needs, which is by meaning unless it is asked for words alone. */
  public static StoreUse ofSearch(boolean wordsAlone) {
    return wordsAlone ? BY_WORDS_ALONE : WITH_EMBEDDING_MODEL;
  }
}
