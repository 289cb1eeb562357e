package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig.ContradictionPolicy;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Resolves contradictions between two records: the kept artifact supersedes the other, or the other
 * note ends now. Each pair is one commit with its trace.
 *
 * @param unjudged the confidence of a record that has none
 */
record ContradictionResolver(
    Memory memory,
    MemoryConfig config,
    ContradictionPolicy policy,
    double unjudged,
    InstantSource clock) {

  /** Returns whether the policy settles this issue, as long as both records are live. */
  boolean canResolve(Issue issue) {
    return issue.type() == IssueType.CONTRADICTION
        && issue.severity() == IssueSeverity.WARNING
        && policy != ContradictionPolicy.MANUAL;
  }

  Optional<ContradictionResolution> resolve(Transaction transaction, Issue issue) {
    Instant begun = clock.instant();
    List<EvidenceRecord> standing =
        issue.records().stream().flatMap(record -> findLive(transaction, record).stream()).toList();
    return standing.size() == 2
        ? Optional.of(
            settlePair(transaction, standing.stream().sorted(loserFirst()).toList(), begun))
        : Optional.empty();
  }

  private static Optional<EvidenceRecord> findLive(Transaction transaction, EntityRef record) {
    Id id = Id.parse(record.id());
    Instant now = transaction.now();
    return record.type() == EntityType.NOTE
        ? transaction.find(Note.TABLE, id).filter(note -> note.isLive(now)).map(EvidenceRecord::of)
        : transaction
            .find(Artifact.TABLE, id)
            .filter(made -> made.isLive(now))
            .map(EvidenceRecord::of);
  }

  /** Orders a pair so that the last record is kept. */
  private Comparator<EvidenceRecord> loserFirst() {
    Comparator<EvidenceRecord> newest =
        Comparator.comparing(EvidenceRecord::time)
            .thenComparing(evidenceRecord -> evidenceRecord.record().id());
    return policy == ContradictionPolicy.NEWEST
        ? newest
        : Comparator.comparingDouble(
                (EvidenceRecord evidenceRecord) -> evidenceRecord.confidence().orElse(unjudged))
            .thenComparing(newest);
  }

  private ContradictionResolution settlePair(
      Transaction transaction, List<EvidenceRecord> pair, Instant begun) {
    EvidenceRecord loser = pair.getFirst();
    EvidenceRecord winner = pair.getLast();
    if (loser.isArtifact()) {
      supersede(transaction, loser.id(), winner.id());
    } else {
      memory.run(transaction, new EndNote(loser.id(), transaction.now()));
    }
    transaction.append(
        TraceEvent.TABLE,
        TraceEvent.of(transaction, "contradiction_resolved", loser.record(), loser.trajectory())
            .withDetail(policy.name().toLowerCase(Locale.ROOT))
            .withDuration(Duration.between(begun, clock.instant())));
    return new ContradictionResolution(winner.record(), loser.record());
  }

  private void supersede(Transaction transaction, Id loser, Id winner) {
    Artifact kept = MemoryView.of(transaction, config).artifact(winner);
    memory.run(
        transaction,
        new SupersedeArtifact(
            loser,
            new NewArtifact(
                kept.scope(),
                kept.type(),
                kept.content(),
                kept.provenance(),
                kept.ttl(),
                kept.schemaVersion(),
                kept.labels())));
  }
}
