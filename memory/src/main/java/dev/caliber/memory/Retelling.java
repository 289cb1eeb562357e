package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.record.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.PlainReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells summaries again without some records. Of a summary that has whole sentences of its sources
 * those of the records go. In a model's own words any sentence may tell of them: then rules make
 * another summary, of what is left. Scopes come before their trajectory, which is told by them.
 *
 * <p>What was rolled back stays readable, and so do the summaries that told of it. What is
 * forgotten takes all of them along that may tell of it.
 */
final class Retelling {
  private final Desk desk;
  private final Digest digest;
  private final Set<Id> out;
  private final boolean forgetting;
  private final Quotes lost = new Quotes();

  private Retelling(Desk desk, Digest digest, Set<Id> out, boolean forgetting) {
    this.desk = desk;
    this.digest = digest;
    this.out = Set.copyOf(out);
    this.forgetting = forgetting;
  }

  static Retelling withoutForgotten(Desk desk, Digest digest, Set<Id> out) {
    return new Retelling(desk, digest, out, true);
  }

  static Retelling withoutRolledBack(Desk desk, Digest digest, Set<Id> out) {
    return new Retelling(desk, digest, out, false);
  }

  void tell(Scope scope) {
    scope
        .summary()
        .flatMap(told -> told.isVerbatim() ? told.without(out) : Optional.of(again(scope, told)))
        .ifPresent(
            rest ->
                desk.emit(
                    new ScopeSummarized(scope.trajectory(), scope.id(), rest, kept(), desk.now())));
    forgetPast(EntityRef.of(EntityType.SCOPE, scope.id()));
  }

  private Optional<Id> kept() {
    return forgetting ? Optional.empty() : Optional.of(desk.newId());
  }

  private void forgetPast(EntityRef about) {
    if (forgetting) {
      desk.removePast(about, this::mayTell);
    }
  }

  private boolean mayTell(PastSummary past) {
    past.summary().filter(told -> !told.isVerbatim()).ifPresent(this::lose);
    return past.summary().filter(told -> !told.isVerbatim() || rest(told).isPresent()).isPresent();
  }

  /** What rules read as sentences of their own is lost as such, be it a single word. */
  private void lose(Summary told) {
    for (Summary.Sentence sentence : told.sentences()) {
      lost.add(sentence.text());
      PlainReader.sentences(sentence.text()).forEach(lost::add);
    }
  }

  private Summary again(Scope scope, Summary told) {
    lose(told);
    List<Turn> last = desk.view().lastTurns(scope.id(), desk.config().limits().summarized());
    List<Turn> left = last.stream().filter(turn -> !out.contains(turn.id())).toList();
    return digest
        .summarize(digest.passages(left))
        .withExtent(digest.extent(desk.view(), scope.id(), last.size()));
  }

  void tell(Trajectory trajectory) {
    trajectory
        .summary()
        .flatMap(told -> told.isVerbatim() ? rest(told) : Optional.of(again(trajectory)))
        .ifPresent(
            rest -> desk.emit(new TrajectorySummarized(trajectory.id(), rest, kept(), desk.now())));
    forgetPast(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
  }

  private Summary again(Trajectory trajectory) {
    TaskPassages told = digest.passages(desk.view(), trajectory.id(), MemoryKind.SCOPE, desk.now());
    List<Passage> left =
        told.passages().stream().filter(passage -> !out.contains(passage.source())).toList();
    return digest.summarize(left).withExtent(told.extent());
  }

  /** It may have sentences of a scope's summary that was a model's, or parts of them. */
  private Optional<Summary> rest(Summary told) {
    List<Summary.Sentence> rest =
        told.sentences().stream()
            .filter(one -> !out.contains(one.source()) && !lost.isQuotedBy(one.text()))
            .toList();
    return rest.size() == told.sentences().size()
        ? Optional.empty()
        : Optional.of(told.withSentences(rest));
  }
}
