package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the summarizer work before a commit, never inside one. What a commit will summarise is read
 * from one snapshot; the commit takes a summary only if it would summarise exactly that.
 */
final class Preparation {
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);
  private static final String FALLBACK = Summary.EXTRACTIVE + " (the summarizer failed)";

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final Digest digest;

  Preparation(RecordStore store, MemoryConfig config, MemoryParts parts, Digest digest) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.digest = digest;
  }

  /** For a command of a caller. */
  Prepared of(SpaceId space, Command<?> command) {
    return switch (command) {
      case CloseScope close -> prepare(space, view -> open(view, view.scope(close.scope())));
      case EndTrajectory end ->
          prepare(
              space,
              view ->
                  view.openScopes(end.trajectory()).stream().flatMap(scope -> open(view, scope)));
      default -> Prepared.NOTHING; // the others summarise nothing
    };
  }

  /** For the next step of a run of policies. */
  Prepared of(SpaceId space, Id run) {
    return prepare(
        space,
        view ->
            view
                .snapshot()
                .find(PolicyRun.TABLE, run)
                .filter(found -> !found.isDone())
                .filter(found -> found.step().action() instanceof PolicyAction.Summarize)
                .stream()
                .flatMap(found -> step(view, found)));
  }

  /** What is to be summarised. */
  private record Wanted(Id about, List<Passage> passages) {}

  private interface Reading {
    Stream<Wanted> of(MemoryView view);
  }

  private Prepared prepare(SpaceId space, Reading reading) {
    if (parts.summarizer().isEmpty()) {
      return Prepared.NOTHING;
    }
    List<Wanted> wanted = store.read(space, snapshot -> read(snapshot, reading));
    Map<Id, Prepared.Made> made = new HashMap<>();
    for (Wanted one : wanted) {
      Summary summary = summary(one.passages(), parts.summarizer().get());
      made.put(one.about(), new Prepared.Made(one.passages(), summary));
    }
    return new Prepared(made);
  }

  private List<Wanted> read(Snapshot snapshot, Reading reading) {
    return reading
        .of(MemoryView.of(snapshot, config))
        .filter(one -> !one.passages().isEmpty())
        .toList();
  }

  private Stream<Wanted> open(MemoryView view, Scope scope) {
    return scope.isOpen()
        ? Stream.of(new Wanted(scope.id(), digest.passages(view, scope)))
        : Stream.empty();
  }

  private Stream<Wanted> step(MemoryView view, PolicyRun run) {
    MemoryKind kind = MemoryKind.valueOf(run.step().target());
    Instant now = parts.clock().instant();
    return kind == MemoryKind.TURN
        ? view.reach(run).scope().stream()
            .filter(scope -> !scope.isSummarized())
            .map(scope -> new Wanted(scope.id(), digest.passages(view, scope)))
        : run.trajectory().stream().map(id -> new Wanted(id, Digest.passages(view, id, kind, now)));
  }

  /** A model that fails or says nothing is stood in for, and the summary says so. */
  private Summary summary(List<Passage> passages, Summarizer summarizer) {
    try {
      Summary made = summarizer.summarize(passages);
      return made.sentences().isEmpty() ? fallback(passages) : made;
    } catch (RuntimeException e) {
      LOG.warn("A summary was extracted because the summarizer failed: {}", named(e));
      return fallback(passages);
    }
  }

  private Summary fallback(List<Passage> passages) {
    return new Summary(FALLBACK, digest.summarize(passages).sentences());
  }

  /** Not its message, which may quote what it was given. */
  private static String named(RuntimeException e) {
    return Optional.of(e)
        .filter(CaliberException.class::isInstance)
        .map(known -> ((CaliberException) known).code().text())
        .orElse(e.getClass().getSimpleName());
  }
}
