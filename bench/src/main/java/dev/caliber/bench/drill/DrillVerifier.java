package dev.caliber.bench.drill;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Memory;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyRunState;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Verifies the store after a kill: every record is as before its step or as after it. */
final class DrillVerifier {
  private static final int PAGE = 500;
  private static final String CONSOLIDATION = "consolidation";

  private final RecordStore store;
  private final Memory memory;
  private final List<String> findings = new ArrayList<>();

  DrillVerifier(RecordStore store, Memory memory) {
    this.store = store;
    this.memory = memory;
  }

  List<String> findings() {
    return findings;
  }

  /** Checks the store right after the kill. */
  void checkAfterKill(List<String> reports) {
    allRecords(Scope.TABLE).forEach(this::checkScope);
    allRecords(Trajectory.TABLE).forEach(this::checkTrajectory);
    for (String report : reports) {
      String[] words = report.split(" ", 2);
      switch (words[0]) {
        case DrillWorker.CLOSED -> check(!findScope(words[1]).isOpen(), report + ", and is open");
        case DrillWorker.CONSOLIDATED ->
            check(countNotes(words[1]) == expectedNotes(), report + ", without its notes");
        case DrillWorker.ENDED ->
            check(
                findTrajectory(words[1]).status() == TrajectoryStatus.COMPLETED,
                report + ", and goes on");
        default -> {} // reported in the middle of a step
      }
    }
  }

  /** Returns the last time at which the worker acted. */
  Instant newestTime() {
    return Stream.concat(
            allRecords(Trajectory.TABLE).stream().map(Trajectory::updatedAt),
            allRecords(Turn.TABLE).stream().map(Turn::createdAt))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** Returns the number of runs that the kill left unfinished. */
  long unfinishedRuns() {
    return pendingRuns().count();
  }

  /** Returns whether policies are among them. */
  boolean isPolicyUnfinished() {
    return pendingRuns().anyMatch(run -> !isConsolidation(run));
  }

  /** Returns whether a consolidation was interrupted between two of its commits. */
  boolean isConsolidationUnfinished() {
    return pendingRuns().anyMatch(DrillVerifier::isConsolidation);
  }

  private Stream<PolicyRun> pendingRuns() {
    return allRecords(PolicyRun.TABLE).stream().filter(run -> run.state() != PolicyRunState.DONE);
  }

  private static boolean isConsolidation(PolicyRun run) {
    return run.trigger().equals(CONSOLIDATION);
  }

  boolean isOpen(String scope) {
    return findScope(scope).isOpen();
  }

  /** Checks the store after the jobs have continued the interrupted work. */
  void checkAfterRecovery() {
    check(unfinishedRuns() == 0, "a run of policies is not finished");
    Map<Id, Map<String, Long>> said =
        allRecords(Notice.TABLE).stream()
            .collect(
                Collectors.groupingBy(
                    Notice::about, Collectors.groupingBy(Notice::channel, Collectors.counting())));
    for (Trajectory trajectory : allRecords(Trajectory.TABLE)) {
      List<Scope> scopes = readView(view -> view.scopes(trajectory.id()));
      long closed = scopes.stream().filter(scope -> !scope.isOpen()).count();
      Map<String, Long> words = said.getOrDefault(trajectory.id(), Map.of());
      checkNotices(words, MemoryDrillTarget.CLOSED, closed);
      checkNotices(words, MemoryDrillTarget.PRUNED, closed);
      checkNotices(words, MemoryDrillTarget.ENDED, trajectory.status().isTerminal() ? 1 : 0);
      checkConsolidated(trajectory);
      scopes.stream().filter(scope -> !scope.isOpen()).forEach(this::checkPruned);
    }
  }

  private void checkNotices(Map<String, Long> words, String channel, long times) {
    long found = words.getOrDefault("caliber_" + channel, 0L);
    check(found == times, "%s was recorded %d times, not %d".formatted(channel, found, times));
  }

  private void checkPruned(Scope scope) {
    List<Turn> turns = readView(view -> view.turns(scope.id()));
    check(turns.stream().noneMatch(Turn::isLive), "a turn was not pruned in " + scope);
  }

  private void checkScope(Scope scope) {
    List<Turn> turns = readView(view -> view.turns(scope.id()));
    List<Artifact> made = readView(view -> view.artifactsOfScope(scope.id()));
    boolean said = turns.size() == DrillWorker.WORDS.size();
    check(said || turns.isEmpty(), "half of the turns in " + scope);
    if (scope.isOpen()) {
      boolean before =
          scope.summary().isEmpty()
              && scope.endTurn().isEmpty()
              && scope.checkpoint().isEmpty()
              && scope.artifacts().isEmpty()
              && made.isEmpty()
              && turns.stream().allMatch(Turn::isLive);
      check(before, "a half closed scope: " + scope);
    } else {
      boolean after =
          scope.summary().isPresent() == said
              && scope.endTurn().isPresent()
              && scope.checkpoint().isPresent()
              && scope.artifacts().size() == made.size()
              && made.isEmpty() != said;
      check(after, "a half closed scope: " + scope);
    }
  }

  private void checkTrajectory(Trajectory trajectory) {
    long notes = countNotes(trajectory.id().toString());
    boolean whole = notes == 0 || notes == expectedNotes();
    boolean portion = notes % MemoryDrillTarget.PORTION == 0 && hasPendingRun(trajectory.id());
    check(
        whole || portion,
        "half of a consolidation: %d notes of %s".formatted(notes, trajectory.id()));
    check(
        trajectory.status().isTerminal() == trajectory.outcome().isPresent(),
        "half of an end: " + trajectory);
  }

  /** Returns whether a run will continue the consolidation that the kill interrupted. */
  private boolean hasPendingRun(Id trajectory) {
    return pendingRuns()
        .anyMatch(run -> isConsolidation(run) && run.trajectory().equals(Optional.of(trajectory)));
  }

  /** Checks that a consolidation is complete or absent, with each note as first made. */
  private void checkConsolidated(Trajectory trajectory) {
    List<Note> notes = readView(view -> view.notesLearnedIn(trajectory.id()));
    check(
        notes.isEmpty() || notes.size() == expectedNotes(),
        "%d notes of %s".formatted(notes.size(), trajectory.id()));
    check(
        notes.stream().allMatch(note -> note.version() == 1),
        "a note of %s was made twice".formatted(trajectory.id()));
  }

  private static long expectedNotes() {
    return (long) DrillWorker.SCOPES * DrillWorker.FOUND;
  }

  private long countNotes(String trajectory) {
    return readView(view -> view.countNotes(Id.parse(trajectory)));
  }

  private Scope findScope(String id) {
    return readView(view -> view.scope(Id.parse(id)));
  }

  private Trajectory findTrajectory(String id) {
    return readView(view -> view.trajectory(Id.parse(id)));
  }

  private <T> T readView(Function<MemoryView, T> reading) {
    return memory.view(MemoryDrillTarget.SPACE, reading);
  }

  private <T> List<T> allRecords(Table<T> table) {
    return store.read(
        MemoryDrillTarget.SPACE,
        snapshot -> {
          List<T> records = new ArrayList<>();
          Page<T> page = snapshot.scan(Query.over(table), PAGE);
          records.addAll(page.records());
          while (page.next().isPresent()) {
            page = snapshot.scan(Query.over(table).resume(page.next().get()), PAGE);
            records.addAll(page.records());
          }
          return records;
        });
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      findings.add(otherwise);
    }
  }
}
