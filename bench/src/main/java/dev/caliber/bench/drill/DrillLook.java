package dev.caliber.bench.drill;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.RunState;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
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

/**
 * Looks at what a blow has left: everything is as before its step or as after, and nothing else.
 */
final class DrillLook {
  private static final int PAGE = 500;
  private static final String CONSOLIDATION = "consolidation";

  private final RecordStore store;
  private final Memory memory;
  private final List<String> findings = new ArrayList<>();

  DrillLook(RecordStore store, Memory memory) {
    this.store = store;
    this.memory = memory;
  }

  List<String> findings() {
    return findings;
  }

  /** Right after the blow. */
  void atRest(List<String> reports) {
    all(Scope.TABLE).forEach(this::scope);
    all(Trajectory.TABLE).forEach(this::trajectory);
    for (String report : reports) {
      String[] words = report.split(" ", 2);
      switch (words[0]) {
        case DrillWorker.CLOSED -> expect(!scope(words[1]).isOpen(), report + ", and is open");
        case DrillWorker.CONSOLIDATED ->
            expect(notes(words[1]) == expectedNotes(), report + ", without its notes");
        case DrillWorker.ENDED ->
            expect(
                trajectory(words[1]).status() == TrajectoryStatus.COMPLETED,
                report + ", and goes on");
        default -> {} // said in the middle of something
      }
    }
  }

  /** The last time at which the worker did something. */
  Instant newest() {
    return Stream.concat(
            all(Trajectory.TABLE).stream().map(Trajectory::updatedAt),
            all(Turn.TABLE).stream().map(Turn::createdAt))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** How many runs the blow has left unfinished. */
  long unfinished() {
    return pending().count();
  }

  /** Whether there are policies among them. */
  boolean isPolicyUnfinished() {
    return pending().anyMatch(run -> !isConsolidation(run));
  }

  /** Whether a consolidation was left between two of its commits. */
  boolean isConsolidationUnfinished() {
    return pending().anyMatch(DrillLook::isConsolidation);
  }

  private Stream<PolicyRun> pending() {
    return all(PolicyRun.TABLE).stream().filter(run -> run.state() != RunState.DONE);
  }

  private static boolean isConsolidation(PolicyRun run) {
    return run.trigger().equals(CONSOLIDATION);
  }

  boolean isOpen(String scope) {
    return scope(scope).isOpen();
  }

  /** After the jobs have gone on with what was left. */
  void afterRecovery() {
    expect(unfinished() == 0, "a run of policies is not finished");
    Map<Id, Map<String, Long>> said =
        all(Notice.TABLE).stream()
            .collect(
                Collectors.groupingBy(
                    Notice::about, Collectors.groupingBy(Notice::channel, Collectors.counting())));
    for (Trajectory trajectory : all(Trajectory.TABLE)) {
      List<Scope> scopes = view(view -> view.scopes(trajectory.id()));
      long closed = scopes.stream().filter(scope -> !scope.isOpen()).count();
      Map<String, Long> words = said.getOrDefault(trajectory.id(), Map.of());
      expectWords(words, DrillPlace.CLOSED, closed);
      expectWords(words, DrillPlace.PRUNED, closed);
      expectWords(words, DrillPlace.ENDED, trajectory.status().isTerminal() ? 1 : 0);
      consolidated(trajectory);
      scopes.stream().filter(scope -> !scope.isOpen()).forEach(this::pruned);
    }
  }

  private void expectWords(Map<String, Long> words, String channel, long times) {
    long found = words.getOrDefault("caliber_" + channel, 0L);
    expect(found == times, "%s was said %d times, not %d".formatted(channel, found, times));
  }

  private void pruned(Scope scope) {
    List<Turn> turns = view(view -> view.turns(scope.id()));
    expect(turns.stream().noneMatch(Turn::isLive), "a turn was not pruned in " + scope);
  }

  private void scope(Scope scope) {
    List<Turn> turns = view(view -> view.turns(scope.id()));
    List<Artifact> made = view(view -> view.artifactsOfScope(scope.id()));
    boolean said = turns.size() == DrillWorker.WORDS.size();
    expect(said || turns.isEmpty(), "half of the turns in " + scope);
    if (scope.isOpen()) {
      boolean before =
          scope.summary().isEmpty()
              && scope.endTurn().isEmpty()
              && scope.checkpoint().isEmpty()
              && scope.artifacts().isEmpty()
              && made.isEmpty()
              && turns.stream().allMatch(Turn::isLive);
      expect(before, "a half closed scope: " + scope);
    } else {
      boolean after =
          scope.summary().isPresent() == said
              && scope.endTurn().isPresent()
              && scope.checkpoint().isPresent()
              && scope.artifacts().size() == made.size()
              && made.isEmpty() != said;
      expect(after, "a half closed scope: " + scope);
    }
  }

  private void trajectory(Trajectory trajectory) {
    long notes = notes(trajectory.id().toString());
    boolean whole = notes == 0 || notes == expectedNotes();
    boolean portion = notes % DrillPlace.PORTION == 0 && isSeenTo(trajectory.id());
    expect(
        whole || portion,
        "half of a consolidation: %d notes of %s".formatted(notes, trajectory.id()));
    expect(
        trajectory.status().isTerminal() == trajectory.outcome().isPresent(),
        "half of an end: " + trajectory);
  }

  /** Whether a run will go on with what a blow has left of its consolidation. */
  private boolean isSeenTo(Id trajectory) {
    return pending()
        .anyMatch(run -> isConsolidation(run) && run.trajectory().equals(Optional.of(trajectory)));
  }

  /** All of it or nothing, each note as it was first made. */
  private void consolidated(Trajectory trajectory) {
    List<Note> notes = view(view -> view.notesLearnedIn(trajectory.id()));
    expect(
        notes.isEmpty() || notes.size() == expectedNotes(),
        "%d notes of %s".formatted(notes.size(), trajectory.id()));
    expect(
        notes.stream().allMatch(note -> note.version() == 1),
        "a note of %s was made twice".formatted(trajectory.id()));
  }

  private static long expectedNotes() {
    return (long) DrillWorker.SCOPES * DrillWorker.FOUND;
  }

  private long notes(String trajectory) {
    return view(view -> view.countNotes(Id.parse(trajectory)));
  }

  private Scope scope(String id) {
    return view(view -> view.scope(Id.parse(id)));
  }

  private Trajectory trajectory(String id) {
    return view(view -> view.trajectory(Id.parse(id)));
  }

  private <T> T view(Function<MemoryView, T> reading) {
    return memory.view(DrillPlace.SPACE, reading);
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(
        DrillPlace.SPACE,
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

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      findings.add(otherwise);
    }
  }
}
