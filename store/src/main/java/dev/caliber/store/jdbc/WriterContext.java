package dev.caliber.store.jdbc;

import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;

/** Session of a writer thread, with everything that its writes need. */
record WriterContext(
    DatabaseSession session,
    WriterRowCache rowCache,
    DeclaredTables tables,
    StoreConfig config,
    StoreDependencies dependencies) {}
