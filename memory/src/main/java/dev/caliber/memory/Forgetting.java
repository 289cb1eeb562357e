package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.ForgetTargets.Target;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.store.BatchSize;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.BatchedWork.Progress;
import dev.caliber.store.BatchedWork.Ticket;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Forgets. What goes is found out, and texts are compared, outside of commits.
 *
 * <p>What is small goes in one commit. Else the first commit writes a {@link ForgetRequest}, which
 * hides all of it from every read; batches erase it; the last commit removes the request. A second
 * call for the same, or a job, finishes what a caller has left.
 */
final class Forgetting {
  static final String JOB = "memory.forget";

  /** How often one commit is tried while others write; after that it takes several. */
  private static final int TRIES = 3;

  /** One commit does this share of what a batch may. */
  private static final int AT_ONCE_DIVISOR = 4;

  private final RecordStore store;
  private final MemoryConfig config;
  private final Function<Transaction, Desk> desks;
  private final BatchedWork<Quoted> unquoting;
  private final BatchedWork<Id> erasing;

  /**
   * Over a store that shows what is hidden.
   *
   * @param unquoting removes what other modules hold of the forgotten
   */
  Forgetting(
      MemoryConfig config,
      BatchedWork.Parts parts,
      Function<Transaction, Desk> desks,
      BatchedWork<Quoted> unquoting) {
    this.store = parts.store();
    this.config = config;
    this.desks = desks;
    this.unquoting = unquoting;
    this.erasing = new BatchedWork<>(JOB, Id.class, Erasure::new, parts);
  }

  void attach(Jobs jobs) {
    erasing.handle(jobs);
  }

  Forgotten forget(SpaceId space, Forget command) {
    new Guard(config.limits()).check(command);
    if (command.preview()) {
      return read(space, view -> previewed(view, command));
    }
    List<EntityRef> gone = inOneCommit(space, command).orElseGet(() -> erase(space, command));
    return new Forgotten(gone, false, true, store.purgeDeleted());
  }

  private Optional<List<EntityRef>> inOneCommit(SpaceId space, Forget command) {
    try {
      for (int i = 0; i < TRIES; i++) {
        Optional<Draft> draft = read(space, view -> draft(view, command));
        if (draft.isEmpty() || commit(space, draft.get(), command)) {
          return draft.map(done -> done.oblivion.records());
        }
      }
      return Optional.empty();
    } catch (CaliberException e) {
      if (e.code().kind() != ErrorKind.LIMIT) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private <T> T read(SpaceId space, Function<MemoryView, T> reading) {
    return store.read(space, snapshot -> reading.apply(MemoryView.of(snapshot, config)));
  }

  private Forgotten previewed(MemoryView view, Forget command) {
    int most = config.limits().turns();
    List<EntityRef> found = new ForgetTargets(view, most + 1).of(command).records();
    List<EntityRef> now = found.subList(0, Math.min(most, found.size()));
    List<EntityRef> gone = Oblivion.of(view, now).records();
    return new Forgotten(gone, true, found.size() <= most, false);
  }

  /** What one commit does if nothing else was written since it was decided. */
  private record Draft(long sequence, Oblivion oblivion) {}

  /** Nothing if it is too much for one commit, or under way in several. */
  private Optional<Draft> draft(MemoryView view, Forget command) {
    if (request(view.snapshot(), command).isPresent()) {
      return Optional.empty();
    }
    BatchSize most = atOnce();
    ForgetTargets targets = new ForgetTargets(view, most.records()).of(command);
    long bytes = targets.targets().stream().mapToLong(Target::bytes).sum();
    if (targets.isFull() || bytes > most.bytes()) {
      return Optional.empty();
    }
    Oblivion oblivion = Oblivion.of(view, targets.records());
    return oblivion.fits(most)
        ? Optional.of(new Draft(view.snapshot().sequence(), oblivion))
        : Optional.empty();
  }

  private BatchSize atOnce() {
    BatchSize most = config.retention().batches().most();
    return new BatchSize(
        Math.max(1, most.records() / AT_ONCE_DIVISOR), most.bytes() / AT_ONCE_DIVISOR);
  }

  /** False if something was written since it was decided. */
  private boolean commit(SpaceId space, Draft draft, Forget command) {
    List<Ticket<Quoted>> rest = new ArrayList<>();
    boolean done =
        store.write(
            space,
            transaction -> {
              Desk desk = desks.apply(transaction);
              ForgetWork work = new ForgetWork(desk, atOnce().records());
              boolean asDecided =
                  transaction.sequence() == draft.sequence
                      && draft.oblivion.records().stream().allMatch(work::isWithoutPolicies);
              if (asDecided) {
                work.forget(draft.oblivion, command.reason());
                rest.addAll(desk.stillQuoted());
              }
              return asDecided;
            });
    rest.forEach(ticket -> unquoting.resume(space, ticket));
    return done;
  }

  /** In as many commits as it takes. */
  private List<EntityRef> erase(SpaceId space, Forget command) {
    ForgetRequest request =
        store.write(
            space,
            transaction ->
                request(transaction, command).orElseGet(() -> begun(transaction, command)));
    Erasure erasure = new Erasure(space, request.id());
    erasing.resume(space, request.job(), erasure);
    return erasure.gone;
  }

  private ForgetRequest begun(Transaction transaction, Forget command) {
    Id id = transaction.newId();
    Id job = erasing.schedule(transaction, id).job();
    ForgetRequest request = new ForgetRequest(id, command, transaction.now(), job);
    request.open(transaction);
    return request;
  }

  /** An open request for the same records. */
  private static Optional<ForgetRequest> request(Snapshot snapshot, Forget command) {
    return ForgetRequest.open(snapshot).stream()
        .filter(
            one ->
                one.command().id().equals(command.id())
                    && one.command().filter().equals(command.filter()))
        .findFirst();
  }

  /** One run over a request. */
  private final class Erasure implements BatchedWork.Step {
    private final SpaceId space;
    private final Id request;
    private final List<EntityRef> gone = new ArrayList<>();
    private final Deque<Target> found = new ArrayDeque<>();
    private final List<Ticket<Quoted>> quoted = new ArrayList<>();

    /** What the last commit was to erase, and how many of the found were among it. */
    private List<EntityRef> tried = List.of();

    private int triedOfFound;
    private boolean isOver;

    Erasure(SpaceId space, Id request) {
      this.space = space;
      this.request = request;
    }

    @Override
    public BatchedWork.Batch next(BatchSize most) {
      quoted.forEach(ticket -> unquoting.resume(space, ticket));
      quoted.clear();
      BatchedWork.Batch batch = read(space, view -> next(view, most));
      if (isOver) {
        store.purgeDeleted();
      }
      return batch;
    }

    private BatchedWork.Batch next(MemoryView view, BatchSize most) {
      Optional<ForgetRequest> open = view.snapshot().find(ForgetRequest.TABLE, request);
      if (open.isEmpty()) {
        return _ -> Progress.DONE;
      }
      ForgetCoverage coverage = ForgetCoverage.of(view.snapshot(), open.get());
      settle(view);
      if (found.isEmpty()) {
        ForgetTargets targets = new ForgetTargets(view, config.limits().records(), coverage);
        found.addAll(targets.ofThose(open.get().command()).targets());
      }
      if (found.isEmpty()) {
        isOver = true;
        return this::end;
      }
      List<EntityRef> batch = batch(most);
      Oblivion oblivion = fitting(view, coverage, batch, most);
      tried = oblivion.records();
      triedOfFound = tried.containsAll(batch) ? batch.size() : 0;
      return transaction -> commit(transaction, oblivion, open.get(), most);
    }

    /** Whether the last commit stood is seen by the tombstones that it left. */
    private void settle(MemoryView view) {
      if (!tried.isEmpty() && view.tombstone(Id.parse(tried.getFirst().id())).isPresent()) {
        gone.addAll(tried);
        for (int i = 0; i < triedOfFound; i++) {
          found.removeFirst();
        }
      }
      tried = List.of();
    }

    /** The first of what was found, one at least. */
    private List<EntityRef> batch(BatchSize most) {
      List<EntityRef> batch = new ArrayList<>();
      long bytes = 0;
      for (Target target : found) {
        bytes += target.bytes();
        if (!batch.isEmpty() && (batch.size() >= most.records() || bytes > most.bytes())) {
          return batch;
        }
        batch.add(target.record());
      }
      return batch;
    }

    /** Of many records that were made of a few, those made last go first. */
    private Oblivion fitting(
        MemoryView view, ForgetCoverage coverage, List<EntityRef> batch, BatchSize most) {
      Oblivion all = Oblivion.within(coverage, view, batch);
      int spread = all.records().size() - batch.size();
      return spread == 0 || all.fits(most)
          ? all
          : Oblivion.within(
              coverage,
              view,
              all.records().reversed().stream()
                  .limit(Math.min(spread, Math.max(1, all.fitting(most))))
                  .toList());
    }

    private Progress commit(
        Transaction transaction, Oblivion oblivion, ForgetRequest open, BatchSize most) {
      if (!oblivion.isUpToDate(transaction)) {
        return Progress.OUTDATED;
      }
      Desk desk = desks.apply(transaction);
      ForgetWork work = new ForgetWork(desk, most.records());
      if (oblivion.records().stream().allMatch(work::isWithoutPolicies)) {
        work.forget(oblivion, open.command().reason());
        quoted.addAll(desk.stillQuoted());
      }
      return Progress.MORE;
    }

    private Progress end(Transaction transaction) {
      ForgetRequest.close(transaction, request);
      return Progress.DONE;
    }
  }
}
