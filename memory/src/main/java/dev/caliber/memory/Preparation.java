package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.Extract;
import dev.caliber.memory.spi.Extractor;
import dev.caliber.memory.spi.Judgement;
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
 * Lets summarizer, extractor and judge work before a commit, never inside one. What a commit will
 * summarise, look through or hold a note against is read from one snapshot; the commit takes what
 * they made only if it would read exactly that.
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
      case CloseScope close -> prepareAll(space, view -> open(view, view.scope(close.scope())));
      case EndTrajectory end ->
          prepareAll(
              space,
              view ->
                  view.openScopes(end.trajectory()).stream().flatMap(scope -> open(view, scope)));
      case LearnFromTurns learn -> learn(space, learn);
      case WriteNote note -> judge(space, note, Optional.empty());
      case SupersedeNote supersede ->
          judge(space, supersede.successor(), Optional.of(supersede.old()));
      case Forget forget ->
          forget
              .searched()
              .map(filter -> Prepared.of(meant(space, filter)))
              .orElse(Prepared.NOTHING);
      default -> Prepared.NOTHING; // the others summarise nothing, and hold nothing against notes
    };
  }

  /** The newest records of each kind that pass; there may be more when there are so many. */
  List<EntityRef> meant(SpaceId space, RecallFilter filter) {
    int most = Math.max(config.limits().records(), config.limits().turns() + 1);
    return store.read(
        space,
        snapshot ->
            new ForgetTargets(MemoryView.of(snapshot, config), most)
                .of(Forget.all(filter))
                .records());
  }

  /** Held against what the rules see nothing wrong with, but for what it takes the place of. */
  private Prepared judge(SpaceId space, WriteNote note, Optional<Id> old) {
    if (parts.judge().isEmpty()) {
      return Prepared.NOTHING;
    }
    new Guard(config.limits()).check(note);
    List<Passage> known =
        store
            .read(space, snapshot -> NoteWork.known(MemoryView.of(snapshot, config), config, note))
            .stream()
            .filter(other -> !other.content().equals(note.content()))
            .filter(other -> !old.equals(Optional.of(other.id())))
            .filter(other -> other.valid().overlaps(note.valid()))
            .map(Digest::passage)
            .toList();
    return known.isEmpty()
        ? Prepared.NOTHING
        : new Prepared(
            Map.of(),
            Map.of(),
            Optional.of(
                new Prepared.Made<>(known, judgement(parts.judge().get(), note.content(), known))),
            Optional.empty());
  }

  private static Optional<Judgement> judgement(
      ContradictionJudge judge, String later, List<Passage> earlier) {
    try {
      return Optional.of(judge.judge(later, earlier));
    } catch (RuntimeException e) {
      LOG.warn("Rules alone looked for contradictions because the judge failed: {}", named(e));
      return Optional.empty();
    }
  }

  private Prepared learn(SpaceId space, LearnFromTurns command) {
    return prepare(
        space,
        view -> {
          List<Passage> said = digest.passages(LearningWork.saidByUsers(view, command));
          return said.isEmpty()
              ? Stream.empty()
              : Stream.of(new Wanted(command.turns().getFirst(), said));
        },
        Optional.empty(),
        parts.extractor());
  }

  private Prepared prepareAll(SpaceId space, Reading reading) {
    return prepare(space, reading, parts.summarizer(), parts.extractor());
  }

  /** For the next step of a run of policies. */
  Prepared of(SpaceId space, Id run) {
    Prepared summaries =
        prepare(
            space,
            view -> due(view, run, PolicyAction.Summarize.class).flatMap(due -> step(view, due)),
            parts.summarizer(),
            Optional.empty());
    Prepared findings =
        prepare(
            space,
            view ->
                due(view, run, PolicyAction.ExtractArtifacts.class)
                    .flatMap(due -> Reach.of(view, due).scope().stream())
                    .map(scope -> wanted(view, scope)),
            Optional.empty(),
            parts.extractor());
    return new Prepared(
        summaries.summaries(), findings.findings(), Optional.empty(), Optional.empty());
  }

  /** The run, if its next step is such an action. */
  private static Stream<PolicyRun> due(
      MemoryView view, Id run, Class<? extends PolicyAction> action) {
    return view
        .snapshot()
        .find(PolicyRun.TABLE, run)
        .filter(found -> !found.isDone() && action.isInstance(found.step().action()))
        .stream();
  }

  /** What is to be summarised, or looked through. */
  private record Wanted(Id about, List<Passage> passages) {
    <T> Prepared.Made<T> to(T what) {
      return new Prepared.Made<>(passages, what);
    }
  }

  private interface Reading {
    Stream<Wanted> of(MemoryView view);
  }

  private Prepared prepare(
      SpaceId space,
      Reading reading,
      Optional<Summarizer> summarizer,
      Optional<Extractor> extractor) {
    if (summarizer.isEmpty() && extractor.isEmpty()) {
      return Prepared.NOTHING;
    }
    Map<Id, Prepared.Made<Summary>> summaries = new HashMap<>();
    Map<Id, Prepared.Made<Optional<Extract>>> findings = new HashMap<>();
    for (Wanted one : store.read(space, snapshot -> read(snapshot, reading))) {
      summarizer.ifPresent(by -> summaries.put(one.about(), one.to(summary(one.passages(), by))));
      extractor.ifPresent(by -> findings.put(one.about(), one.to(extract(one.passages(), by))));
    }
    return new Prepared(summaries, findings, Optional.empty(), Optional.empty());
  }

  private List<Wanted> read(Snapshot snapshot, Reading reading) {
    return reading
        .of(MemoryView.of(snapshot, config))
        .filter(one -> !one.passages().isEmpty())
        .toList();
  }

  private Stream<Wanted> open(MemoryView view, Scope scope) {
    return scope.isOpen() ? Stream.of(wanted(view, scope)) : Stream.empty();
  }

  private Wanted wanted(MemoryView view, Scope scope) {
    return new Wanted(scope.id(), digest.passages(view, scope));
  }

  private Stream<Wanted> step(MemoryView view, PolicyRun run) {
    MemoryKind kind = MemoryKind.valueOf(run.step().target());
    Instant now = parts.clock().instant();
    return kind == MemoryKind.TURN
        ? Reach.of(view, run).scope().stream()
            .filter(scope -> !scope.isSummarized())
            .map(scope -> wanted(view, scope))
        : run.trajectory().stream()
            .map(id -> new Wanted(id, digest.passages(view, id, kind, now).passages()));
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

  /** Nothing if the extractor fails, or says nothing but what nobody has said. */
  private static Optional<Extract> extract(List<Passage> passages, Extractor extractor) {
    try {
      Extract made = extractor.extract(passages);
      Extract said = made.saidIn(passages);
      return Optional.of(said).filter(_ -> made.findings().isEmpty() || !said.findings().isEmpty());
    } catch (RuntimeException e) {
      LOG.warn("Rules found what is kept because the extractor failed: {}", named(e));
      return Optional.empty();
    }
  }

  /** Not its message, which may quote what it was given. */
  private static String named(RuntimeException e) {
    return Optional.of(e)
        .filter(CaliberException.class::isInstance)
        .map(known -> ((CaliberException) known).code().text())
        .orElse(e.getClass().getSimpleName());
  }
}
