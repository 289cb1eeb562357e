package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;

/** Trace of a forgotten record: that it existed, without its content. */
public record Tombstone(Id id, EntityType type, String reason, Instant forgottenAt) {

  public static final Table<Tombstone> TABLE =
      Table.of(
              "tombstone",
              "Ids and times of forgotten records, without their content.",
              Tombstone.class,
              Tombstone::id)
          .text("type", tombstone -> tombstone.type.name())
          .instant("forgotten_at", Tombstone::forgottenAt)
          .index("forgotten_at");
}
