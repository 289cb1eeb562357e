package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Bytes;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Window at a checkpoint without any text: complete, or as the difference from the last complete
 * ledger of the trajectory.
 *
 * @param id the id of the checkpoint
 * @param base the complete ledger that this one changes; empty for a complete one
 * @param deflated whether the content is compressed
 * @param content the format of {@link LedgerFormatV1}
 */
public record CheckpointLedger(
    Id id, Id trajectory, Optional<Id> base, boolean deflated, Bytes content, Instant createdAt) {

  public static final Table<CheckpointLedger> TABLE =
      Table.of(
              "checkpoint_ledger",
              "Ledgers of the windows at checkpoints.",
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
