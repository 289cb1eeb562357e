package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Bytes;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The window at a checkpoint, without any text: as a whole, or as what changed since the last whole
 * one of the trajectory.
 *
 * @param id the checkpoint's
 * @param base the whole one that it changes; empty for a whole one
 * @param deflated whether the content is compressed
 * @param content as {@link LedgerFormatV1} says
 */
public record CheckpointLedger(
    Id id, Id trajectory, Optional<Id> base, boolean deflated, Bytes content, Instant createdAt) {

  public static final Table<CheckpointLedger> TABLE =
      Table.of(
              "checkpoint_ledger",
              "What checkpoints had in their windows.",
              CheckpointLedger.class,
              CheckpointLedger::id)
          .text("trajectory", ledger -> ledger.trajectory.toString())
          .text("base", CheckpointLedger::baseKey)
          .flag("deflated", CheckpointLedger::deflated)
          .integer("size", ledger -> ledger.content.size())
          .instant("created_at", CheckpointLedger::createdAt)
          .bytes("content", ledger -> ledger.content.toArray())
          .index("trajectory", "created_at")
          .index("base");

  private @Nullable String baseKey() {
    return base.map(Id::toString).orElse(null);
  }
}
