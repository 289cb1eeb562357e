package dev.caliber.store;

/** What a writer thread works with: its session, and what every write needs. */
record WriteTurn(
    Session session, KnownRows known, Catalogue catalogue, StoreConfig config, Seams seams) {}
