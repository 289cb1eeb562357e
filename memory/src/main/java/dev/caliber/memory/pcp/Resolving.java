package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PcpConfig.ConflictResolution;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets one of two contradicting records stay: the other artifact is superseded by it, the other
 * note ends now. Each pair is a commit with its trace.
 *
 * @param unjudged the confidence of what nobody has judged
 */
record Resolving(
    Memory memory,
    MemoryConfig config,
    ConflictResolution policy,
    double unjudged,
    InstantSource clock) {

  /** Whether it is one to be settled, as long as both still stand. */
  boolean concerns(Issue issue) {
    return issue.type() == IssueType.CONTRADICTION
        && issue.severity() == Severity.WARNING
        && policy != ConflictResolution.MANUAL;
  }

  Optional<Resolution> resolve(Transaction transaction, Issue issue) {
    Instant begun = clock.instant();
    List<Source> standing =
        issue.records().stream().flatMap(record -> standing(transaction, record).stream()).toList();
    return standing.size() == 2
        ? Optional.of(settle(transaction, standing.stream().sorted(order()).toList(), begun))
        : Optional.empty();
  }

  private static Optional<Source> standing(Transaction transaction, EntityRef record) {
    Id id = Id.parse(record.id());
    Instant now = transaction.now();
    return record.type() == EntityType.NOTE
        ? transaction.find(Note.TABLE, id).filter(note -> note.isLive(now)).map(Source::of)
        : transaction.find(Artifact.TABLE, id).filter(made -> made.isLive(now)).map(Source::of);
  }

  /** The last one stays. */
  private Comparator<Source> order() {
    Comparator<Source> newest =
        Comparator.comparing(Source::time).thenComparing(source -> source.record().id());
    return policy == ConflictResolution.NEWEST
        ? newest
        : Comparator.comparingDouble((Source source) -> source.confidence().orElse(unjudged))
            .thenComparing(newest);
  }

  private Resolution settle(Transaction transaction, List<Source> pair, Instant begun) {
    Source loser = pair.getFirst();
    Source winner = pair.getLast();
    if (loser.isArtifact()) {
      supersede(transaction, loser.id(), winner.id());
    } else {
      memory.run(transaction, new EndNote(loser.id(), transaction.now()));
    }
    transaction.append(
        TraceEvent.TABLE,
        TraceEvent.of(transaction, "contradiction_resolved", loser.record(), loser.trajectory())
            .saying(policy.name().toLowerCase(Locale.ROOT))
            .lasting(Duration.between(begun, clock.instant())));
    return new Resolution(winner.record(), loser.record());
  }

  private void supersede(Transaction transaction, Id loser, Id winner) {
    Artifact kept = MemoryView.of(transaction, config).artifact(winner);
    memory.run(
        transaction,
        new SupersedeArtifact(
            loser,
            new CreateArtifact(
                kept.scope(),
                kept.type(),
                kept.content(),
                kept.provenance(),
                kept.ttl(),
                kept.schemaVersion(),
                kept.labels())));
  }
}
