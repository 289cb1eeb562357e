package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.event.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.QuoteMatcher;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites summaries without some records. A summary of verbatim sentences loses the sentences of
 * those records. A model's summary is replaced by a rule-based one of the remaining records,
 * because any of its sentences may contain them. Scopes are rewritten before their trajectory,
 * whose summary is made from theirs.
 *
 * <p>Past summaries stay readable after a rollback; a forget deletes those that may contain
 * forgotten text.
 */
public final class SummaryRewriter {
  private final UnitOfWork unitOfWork;
  private final RuleBasedExtraction ruleBasedExtraction;
  private final Set<Id> out;
  private final boolean forgetting;
  private final QuoteMatcher lost = new QuoteMatcher();

  private SummaryRewriter(
      UnitOfWork unitOfWork,
      RuleBasedExtraction ruleBasedExtraction,
      Set<Id> out,
      boolean forgetting) {
    this.unitOfWork = unitOfWork;
    this.ruleBasedExtraction = ruleBasedExtraction;
    this.out = Set.copyOf(out);
    this.forgetting = forgetting;
  }

  public static SummaryRewriter withoutForgotten(
      UnitOfWork unitOfWork, RuleBasedExtraction ruleBasedExtraction, Set<Id> out) {
    return new SummaryRewriter(unitOfWork, ruleBasedExtraction, out, true);
  }

  static SummaryRewriter withoutRolledBack(
      UnitOfWork unitOfWork, RuleBasedExtraction ruleBasedExtraction, Set<Id> out) {
    return new SummaryRewriter(unitOfWork, ruleBasedExtraction, out, false);
  }

  public void rewriteSummary(Scope scope) {
    scope
        .summary()
        .flatMap(
            summary ->
                summary.isVerbatim()
                    ? summary.withoutSources(out)
                    : Optional.of(summarizeRemaining(scope, summary)))
        .ifPresent(
            rest ->
                unitOfWork.emit(
                    new ScopeSummarized(
                        scope.trajectory(), scope.id(), rest, pastSummaryId(), unitOfWork.now())));
    removePastSummaries(EntityRef.of(EntityType.SCOPE, scope.id()));
  }

  private Optional<Id> pastSummaryId() {
    return forgetting ? Optional.empty() : Optional.of(unitOfWork.newId());
  }

  private void removePastSummaries(EntityRef about) {
    if (forgetting) {
      unitOfWork.removePastSummaries(about, this::mayRepeatForgotten);
    }
  }

  private boolean mayRepeatForgotten(PastSummary past) {
    past.summary().filter(summary -> !summary.isVerbatim()).ifPresent(this::addLostSentences);
    return past.summary()
        .filter(summary -> !summary.isVerbatim() || withoutLostSentences(summary).isPresent())
        .isPresent();
  }

  /** Marks each sentence of the summary as lost, also as the rules split it. */
  private void addLostSentences(Summary summary) {
    for (Summary.SummarySentence summarySentence : summary.sentences()) {
      lost.add(summarySentence.text());
      RuleBasedTextAnalyzer.sentences(summarySentence.text()).forEach(lost::add);
    }
  }

  private Summary summarizeRemaining(Scope scope, Summary summary) {
    addLostSentences(summary);
    List<Turn> last =
        unitOfWork.view().lastTurns(scope.id(), unitOfWork.config().limits().summarySources());
    List<Turn> left = last.stream().filter(turn -> !out.contains(turn.id())).toList();
    return ruleBasedExtraction
        .summarize(ruleBasedExtraction.turnPassages(left))
        .withExtent(ruleBasedExtraction.scopeExtent(unitOfWork.view(), scope.id(), last.size()));
  }

  public void rewriteSummary(Trajectory trajectory) {
    trajectory
        .summary()
        .flatMap(
            summary ->
                summary.isVerbatim()
                    ? withoutLostSentences(summary)
                    : Optional.of(summarizeRemaining(trajectory)))
        .ifPresent(
            rest ->
                unitOfWork.emit(
                    new TrajectorySummarized(
                        trajectory.id(), rest, pastSummaryId(), unitOfWork.now())));
    removePastSummaries(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
  }

  private Summary summarizeRemaining(Trajectory trajectory) {
    TaskPassages task =
        ruleBasedExtraction.taskPassages(
            unitOfWork.view(), trajectory.id(), MemoryKind.SCOPE, unitOfWork.now());
    List<Passage> left =
        task.passages().stream().filter(passage -> !out.contains(passage.source())).toList();
    return ruleBasedExtraction.summarize(left).withExtent(task.extent());
  }

  /** Drops lost sentences, which may stem from a model's summary of a scope. */
  private Optional<Summary> withoutLostSentences(Summary summary) {
    List<Summary.SummarySentence> rest =
        summary.sentences().stream()
            .filter(one -> !out.contains(one.source()) && !lost.isQuotedBy(one.text()))
            .toList();
    return rest.size() == summary.sentences().size()
        ? Optional.empty()
        : Optional.of(summary.withSentences(rest));
  }
}
