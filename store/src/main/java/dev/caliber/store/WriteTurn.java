package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import java.time.Clock;

/** What a writer thread works with: its session, and what every write needs. */
record WriteTurn(
    Session session,
    KnownRows known,
    Catalogue catalogue,
    StoreConfig config,
    Clock clock,
    Ids ids,
    Id host) {}
