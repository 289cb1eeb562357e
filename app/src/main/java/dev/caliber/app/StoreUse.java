package dev.caliber.app;

/** What a command needs of a store that no server holds. */
enum StoreUse {
  /** The store exists; the embedding model is not loaded. */
  EXISTING,
  /** The store is created if it is missing; the embedding model is not loaded. */
  CREATED_IF_MISSING,
  /** The store exists, and the operation compares by meaning. */
  WITH_EMBEDDING_MODEL
}
