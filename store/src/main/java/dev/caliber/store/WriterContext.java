package dev.caliber.store;

/** Session of a writer thread, with everything that its writes need. */
record WriterContext(
    DatabaseSession session,
    WriterRowCache rowCache,
    DeclaredTables tables,
    StoreConfig config,
    StoreDependencies dependencies) {}
