package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextIntegrityConfig.CheckpointSettings;
import dev.caliber.memory.context.LedgerIndexBackfill;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.ScanProgress;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Storage of checkpoint ledgers.
 *
 * @param page number of ledgers read at once
 */
record CheckpointLedgerStorage(CheckpointSettings settings, int page) {
  private static final String HOLDER = "checkpoint";
  private static final String LEFT = "checkpoint ledgers";
  private static final LedgerIndexBackfill UNNAMED =
      new LedgerIndexBackfill(HOLDER, CheckpointLedgerStorage::delete);

  /**
   * Saves the window of an existing checkpoint that has no ledger, unless a record of the window
   * was forgotten meanwhile.
   */
  void saveLedger(Transaction transaction, Id checkpoint, Window window) {
    transaction
        .find(Checkpoint.TABLE, checkpoint)
        .filter(_ -> !hasLedger(transaction, checkpoint))
        .filter(_ -> !LedgerIndexEntry.hasForgottenRecords(transaction, window))
        .ifPresent(point -> writeLedger(transaction, point, window));
  }

  static boolean hasLedger(Snapshot snapshot, Id checkpoint) {
    return snapshot.find(CheckpointLedger.TABLE, checkpoint).isPresent();
  }

  /** Inserts the ledger and deletes orphaned ledgers of the trajectory. */
  private void writeLedger(Transaction transaction, Checkpoint checkpoint, Window window) {
    LedgerIndexEntry.putEntry(transaction, HOLDER, checkpoint.id(), window);
    transaction.insert(
        CheckpointLedger.TABLE,
        lastFullLedger(transaction, checkpoint.trajectory())
            .flatMap(whole -> deltaLedger(checkpoint, window, whole))
            .orElseGet(
                () -> newLedger(checkpoint, Optional.empty(), encode(window, Optional.empty()))));
    transaction.scan(queryOrphaned(transaction, checkpoint.trajectory()), page).records().stream()
        .map(CheckpointLedger::id)
        .forEach(id -> delete(transaction, id));
  }

  /** Returns the window of a checkpoint, if it has a ledger. */
  static Optional<Window> findWindow(Snapshot snapshot, Id checkpoint) {
    return snapshot
        .find(CheckpointLedger.TABLE, checkpoint)
        .filter(
            kept ->
                kept.base().isEmpty()
                    || snapshot.find(CheckpointLedger.TABLE, kept.base().get()).isPresent())
        .map(kept -> readWindow(kept, kept.base().flatMap(base -> findWindow(snapshot, base))));
  }

  private static Window readWindow(CheckpointLedger kept, Optional<Window> base) {
    try {
      return LedgerFormatV1.read(decode(kept), base);
    } catch (KernelException | IllegalArgumentException e) {
      throw MemoryException.damagedLedger(kept.id(), e);
    }
  }

  private Optional<CheckpointLedger> lastFullLedger(Snapshot snapshot, Id trajectory) {
    return snapshot
        .scan(
            queryByTrajectory(trajectory).descending().where(ledger -> ledger.base().isEmpty()), 1)
        .records()
        .stream()
        .findFirst();
  }

  /**
   * Returns the difference from the complete ledger, unless it is too large or the complete one
   * cannot be read.
   */
  private Optional<CheckpointLedger> deltaLedger(
      Checkpoint checkpoint, Window window, CheckpointLedger whole) {
    return unlessDamaged(() -> Optional.of(readWindow(whole, Optional.empty())))
        .map(base -> encode(window, Optional.of(base)))
        .filter(changes -> changes.length <= settings.maxDeltaShare() * whole.content().size())
        .map(changes -> newLedger(checkpoint, Optional.of(whole.id()), changes));
  }

  private static Optional<Window> unlessDamaged(Supplier<Optional<Window>> read) {
    try {
      return read.get();
    } catch (MemoryException e) {
      if (e.code() != MemoryErrorCode.DAMAGED_LEDGER) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static CheckpointLedger newLedger(
      Checkpoint checkpoint, Optional<Id> base, byte[] content) {
    return new CheckpointLedger(
        checkpoint.id(),
        checkpoint.trajectory(),
        base,
        isDeflated(content),
        Bytes.of(content),
        checkpoint.createdAt());
  }

  /** Encodes as JSON, or deflated where that is smaller. */
  private byte[] encode(Window window, Optional<Window> base) {
    byte[] plain = LedgerFormatV1.write(window, base);
    byte[] smaller = settings.compression() ? ZlibCompression.deflate(plain) : plain;
    return smaller.length < plain.length ? smaller : plain;
  }

  /** A JSON document begins with a brace; zlib data never does. */
  private static boolean isDeflated(byte[] content) {
    return content[0] != '{';
  }

  private static byte[] decode(CheckpointLedger kept) {
    byte[] content = kept.content().toArray();
    return kept.deflated() ? ZlibCompression.inflate(content) : content;
  }

  private static Query<CheckpointLedger> queryOrphaned(Snapshot snapshot, Id trajectory) {
    return queryByTrajectory(trajectory).where(ledger -> isOrphaned(snapshot, ledger));
  }

  /** Returns whether neither its checkpoint nor a checkpoint whose ledger is based on it exists. */
  private static boolean isOrphaned(Snapshot snapshot, CheckpointLedger ledger) {
    return snapshot.find(Checkpoint.TABLE, ledger.id()).isEmpty()
        && snapshot
            .scan(
                Query.over(CheckpointLedger.TABLE, "base")
                    .equal(ledger.id())
                    .where(on -> snapshot.find(Checkpoint.TABLE, on.id()).isPresent()),
                1)
            .records()
            .isEmpty();
  }

  /**
   * Deletes ledgers whose checkpoints were deleted, and indexes ledgers from before the index
   * existed.
   */
  static CleanupStep cleanupStep() {
    return new CleanupStep() {
      @Override
      public String name() {
        return LEFT;
      }

      @Override
      public CleanupProgress clean(Transaction transaction, int batch) {
        Query<CheckpointLedger> all = Query.over(CheckpointLedger.TABLE);
        boolean unnamed =
            UNNAMED.indexPage(transaction, all, batch, ledger -> indexLedger(transaction, ledger));
        boolean more =
            ScanProgress.scanNextPage(
                transaction, LEFT, all, batch, ledger -> deleteIfOrphaned(transaction, ledger));
        return CleanupProgress.uncounted(unnamed || more);
      }
    };
  }

  /**
   * Indexes a ledger. One that cannot be read is useless and may name forgotten records: it is
   * deleted.
   */
  private static void indexLedger(Transaction transaction, CheckpointLedger ledger) {
    unlessDamaged(() -> findWindow(transaction, ledger.id()))
        .ifPresentOrElse(
            window -> UNNAMED.indexLedger(transaction, ledger.id(), window),
            () -> delete(transaction, ledger.id()));
  }

  private static void deleteIfOrphaned(Transaction transaction, CheckpointLedger ledger) {
    if (isOrphaned(transaction, ledger)) {
      delete(transaction, ledger.id());
    }
  }

  private static void delete(Transaction transaction, Id ledger) {
    transaction.delete(CheckpointLedger.TABLE, ledger);
    LedgerIndexEntry.deleteEntry(transaction, ledger);
  }

  /**
   * Deletes the ledgers that name a forgotten record, and all of a trajectory of which a record is
   * forgotten.
   */
  static ForgetListener forgetListener() {
    return (gone, purgeBudget) -> {
      Consumer<Id> take = id -> delete(purgeBudget.transaction(), id);
      LedgerIndexEntry.purgeHolders(purgeBudget, HOLDER, gone.records(), take);
      gone.trajectories()
          .forEach(
              trajectory ->
                  purgeBudget.each(
                      queryByTrajectory(trajectory), ledger -> take.accept(ledger.id())));
    };
  }

  private static Query<CheckpointLedger> queryByTrajectory(Id trajectory) {
    return Query.over(CheckpointLedger.TABLE, "trajectory", "created_at").equal(trajectory);
  }
}
