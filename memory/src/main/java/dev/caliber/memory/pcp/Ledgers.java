package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.PcpConfig.Checkpoints;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.Walk;
import dev.caliber.memory.context.NamedRecords;
import dev.caliber.memory.context.UnnamedLedgers;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the ledgers of checkpoints.
 *
 * @param page how many are read at once
 */
record Ledgers(Checkpoints settings, int page) {
  private static final String HOLDER = "checkpoint";
  private static final String LEFT = "checkpoint ledgers";
  private static final UnnamedLedgers UNNAMED = new UnnamedLedgers(HOLDER, Ledgers::delete);

  /**
   * Keeps the window of a checkpoint that is still there and has none, unless something that the
   * window names was forgotten meanwhile.
   */
  void keep(Transaction transaction, Id checkpoint, Window window) {
    transaction
        .find(Checkpoint.TABLE, checkpoint)
        .filter(_ -> !isKept(transaction, checkpoint))
        .filter(_ -> !NamedRecords.areForgotten(transaction, window))
        .ifPresent(point -> keep(transaction, point, window));
  }

  static boolean isKept(Snapshot snapshot, Id checkpoint) {
    return snapshot.find(CheckpointLedger.TABLE, checkpoint).isPresent();
  }

  /** And lets go of those that nobody needs any more. */
  private void keep(Transaction transaction, Checkpoint checkpoint, Window window) {
    NamedRecords.put(transaction, HOLDER, checkpoint.id(), window);
    transaction.insert(
        CheckpointLedger.TABLE,
        lastWhole(transaction, checkpoint.trajectory())
            .flatMap(whole -> changes(checkpoint, window, whole))
            .orElseGet(
                () -> ledger(checkpoint, Optional.empty(), write(window, Optional.empty()))));
    transaction.scan(left(transaction, checkpoint.trajectory()), page).records().stream()
        .map(CheckpointLedger::id)
        .forEach(id -> delete(transaction, id));
  }

  /** The window of a checkpoint, if its ledger was kept. */
  static Optional<Window> window(Snapshot snapshot, Id checkpoint) {
    return snapshot
        .find(CheckpointLedger.TABLE, checkpoint)
        .filter(
            kept ->
                kept.base().isEmpty()
                    || snapshot.find(CheckpointLedger.TABLE, kept.base().get()).isPresent())
        .map(kept -> read(kept, kept.base().flatMap(base -> window(snapshot, base))));
  }

  private static Window read(CheckpointLedger kept, Optional<Window> base) {
    try {
      return LedgerFormatV1.read(content(kept), base);
    } catch (KernelException | IllegalArgumentException e) {
      throw MemoryException.damagedLedger(kept.id(), e);
    }
  }

  private Optional<CheckpointLedger> lastWhole(Snapshot snapshot, Id trajectory) {
    return snapshot
        .scan(of(trajectory).descending().where(ledger -> ledger.base().isEmpty()), 1)
        .records()
        .stream()
        .findFirst();
  }

  /** What changed since the whole one, unless that is too much of it or it cannot be read. */
  private Optional<CheckpointLedger> changes(
      Checkpoint checkpoint, Window window, CheckpointLedger whole) {
    return unlessDamaged(() -> Optional.of(read(whole, Optional.empty())))
        .map(base -> write(window, Optional.of(base)))
        .filter(changes -> changes.length <= settings.wholeShare() * whole.content().size())
        .map(changes -> ledger(checkpoint, Optional.of(whole.id()), changes));
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

  private static CheckpointLedger ledger(Checkpoint checkpoint, Optional<Id> base, byte[] content) {
    return new CheckpointLedger(
        checkpoint.id(),
        checkpoint.trajectory(),
        base,
        isDeflated(content),
        Bytes.of(content),
        checkpoint.createdAt());
  }

  /** As JSON, or deflated where that is smaller. */
  private byte[] write(Window window, Optional<Window> base) {
    byte[] plain = LedgerFormatV1.write(window, base);
    byte[] smaller = settings.compression() ? Deflated.of(plain) : plain;
    return smaller.length < plain.length ? smaller : plain;
  }

  /** A document begins with a brace; the form of zlib never does. */
  private static boolean isDeflated(byte[] content) {
    return content[0] != '{';
  }

  private static byte[] content(CheckpointLedger kept) {
    byte[] content = kept.content().toArray();
    return kept.deflated() ? Deflated.inflate(content) : content;
  }

  private static Query<CheckpointLedger> left(Snapshot snapshot, Id trajectory) {
    return of(trajectory).where(ledger -> isLeft(snapshot, ledger));
  }

  /** Whether neither its own checkpoint is there, nor one that is based on it. */
  private static boolean isLeft(Snapshot snapshot, CheckpointLedger ledger) {
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

  /** Ledgers whose checkpoints have gone go; those of before there were names are named. */
  static CleanupStep cleanup() {
    return new CleanupStep() {
      @Override
      public String name() {
        return LEFT;
      }

      @Override
      public Cleaned clean(Transaction transaction, int batch) {
        Query<CheckpointLedger> all = Query.over(CheckpointLedger.TABLE);
        boolean unnamed =
            UNNAMED.nameSome(transaction, all, batch, ledger -> nameIt(transaction, ledger));
        boolean more =
            Walk.goOn(transaction, LEFT, all, batch, ledger -> letGo(transaction, ledger));
        return Cleaned.uncounted(unnamed || more);
      }
    };
  }

  /** One that cannot be read says nothing to anybody, and may name what was forgotten: it goes. */
  private static void nameIt(Transaction transaction, CheckpointLedger ledger) {
    unlessDamaged(() -> window(transaction, ledger.id()))
        .ifPresentOrElse(
            window -> UNNAMED.name(transaction, ledger.id(), window),
            () -> delete(transaction, ledger.id()));
  }

  private static void letGo(Transaction transaction, CheckpointLedger ledger) {
    if (isLeft(transaction, ledger)) {
      delete(transaction, ledger.id());
    }
  }

  private static void delete(Transaction transaction, Id ledger) {
    transaction.delete(CheckpointLedger.TABLE, ledger);
    NamedRecords.delete(transaction, ledger);
  }

  /**
   * A ledger names records: those that name a forgotten one go, and all of a trajectory of which
   * something is forgotten.
   */
  static QuotingRoom quoting() {
    return (gone, purge) -> {
      Consumer<Id> take = id -> delete(purge.transaction(), id);
      NamedRecords.purge(purge, HOLDER, gone.records(), take);
      gone.trajectories()
          .forEach(trajectory -> purge.each(of(trajectory), ledger -> take.accept(ledger.id())));
    };
  }

  private static Query<CheckpointLedger> of(Id trajectory) {
    return Query.over(CheckpointLedger.TABLE, "trajectory", "created_at").equal(trajectory);
  }
}
