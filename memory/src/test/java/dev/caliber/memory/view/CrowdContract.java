package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.testkit.EachEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Concurrent commands of many threads, on every engine. */
@EachEngine
class CrowdContract extends MemoryFixture {
  private static final int THREADS = 32;
  private static final int ROUNDS = 6;
  private static final int CLOSERS = 4;
  private static final int ALL = THREADS * ROUNDS + 1;

  @Test
  @DisplayName(
      "CON-06, LIF-06, J-25: scopes opened and closed by 32 threads are numbered without gap")
  void scopesAreDense() throws Exception {
    Trajectory trajectory = start();
    atOnce(
        _ -> {
          for (int i = 0; i < ROUNDS; i++) {
            Scope scope = run(new OpenScope(trajectory.id()));
            if (i % 2 == 0) {
              run(CloseScope.of(scope.id()));
            }
          }
          return true;
        });
    List<Scope> scopes = memory.view(SPACE, view -> view.scopes(trajectory.id()));
    assertThat(scopes)
        .extracting(Scope::sequence)
        .isEqualTo(IntStream.range(0, THREADS * ROUNDS + 1).boxed().toList());
    assertThat(memory.<List<Scope>>view(SPACE, view -> view.openScopes(trajectory.id())))
        .hasSize(THREADS * ROUNDS / 2 + 1);
  }

  @Test
  @DisplayName(
      "MEM-06, LIF-09: turns appended by 32 threads have dense positions in scope and trajectory")
  void turnsAreDense() throws Exception {
    Trajectory trajectory = start();
    Scope one = scopeOf(trajectory);
    Scope two = run(new OpenScope(trajectory.id()));
    atOnce(
        number -> {
          Id scope = number % 2 == 0 ? one.id() : two.id();
          for (int i = 0; i < ROUNDS; i++) {
            run(AppendTurns.of(scope, NewTurn.user("turn " + number + " " + i)));
          }
          return true;
        });
    int all = THREADS * ROUNDS;
    assertThat(memory.<List<Turn>>view(SPACE, view -> view.turns(trajectory.id(), 0, all + 1)))
        .extracting(Turn::position)
        .isEqualTo(IntStream.range(0, all).boxed().toList());
    for (Scope scope : List.of(one, two)) {
      assertThat(memory.<List<Turn>>view(SPACE, view -> view.turns(scope.id())))
          .extracting(Turn::sequence)
          .isEqualTo(IntStream.range(0, all / 2).boxed().toList());
    }
    assertThat(read(trajectory).counters().turns()).isEqualTo(all);
  }

  @Test
  @DisplayName("MEM-06, LIF-09, CON-03: turns after a close are refused, the others are dense")
  void turnsMeetCloses() throws Exception {
    Trajectory trajectory = start();
    AtomicInteger said = new AtomicInteger();
    atOnce(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            Scope current = scopeOf(trajectory);
            if (number % CLOSERS == 0) {
              run(new OpenScope(trajectory.id()));
              run(CloseScope.of(current.id()));
            } else if (isSaid(current)) {
              said.incrementAndGet();
            }
          }
          return true;
        });
    assertThat(memory.<List<Turn>>view(SPACE, view -> view.turns(trajectory.id(), 0, ALL)))
        .extracting(Turn::position)
        .isEqualTo(IntStream.range(0, said.get()).boxed().toList());
    for (Scope scope : memory.<List<Scope>>view(SPACE, view -> view.scopes(trajectory.id()))) {
      List<Turn> turns = memory.view(SPACE, view -> view.turns(scope.id()));
      assertThat(turns)
          .extracting(Turn::sequence)
          .isEqualTo(IntStream.range(0, turns.size()).boxed().toList());
      assertThat(scope.isOpen() || scope.turns() == turns.size()).isTrue();
    }
  }

  /** Appends a turn; false if the scope was closed meanwhile, the only allowed refusal. */
  private boolean isSaid(Scope scope) {
    try {
      run(AppendTurns.of(scope.id(), NewTurn.user("x")));
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(MemoryErrorCode.SCOPE_CLOSED);
      return false;
    }
  }

  @Test
  @DisplayName(
      "CON-03, STM-03: of many threads that close a scope one succeeds, and all see the same end")
  void oneCloses() throws Exception {
    Scope scope = scopeOf(start());
    say(scope, "We decided to stop.");
    List<Scope> closed = atOnce(_ -> run(CloseScope.of(scope.id())));
    assertThat(closed).allMatch(closed.getFirst()::equals);
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("scope_closed", 100)))
        .hasSize(1);
  }

  @Test
  @DisplayName("CON-04, J-18: many threads that create the same content make one artifact")
  void oneArtifact() throws Exception {
    Scope scope = scopeOf(start());
    List<Artifact> made = atOnce(_ -> make(scope, "the same"));
    assertThat(made).extracting(Artifact::id).containsOnly(made.getFirst().id());
    assertThat(memory.<Long>view(SPACE, view -> view.countArtifacts(scope.trajectory())))
        .isEqualTo(1);
  }

  @Test
  @DisplayName("CON-05, LIF-15: notes merged by many threads lose no source")
  void noSourceIsLost() throws Exception {
    List<Id> trajectories = atOnce(_ -> start().id());
    atOnce(
        number ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a dog.")
                    .withSource(trajectories.get(number))));
    List<Note> notes = memory.view(SPACE, view -> view.notes("alice", "person"));
    assertThat(notes).hasSize(1);
    assertThat(notes.getFirst().sources()).containsExactlyInAnyOrderElementsOf(trajectories);
  }

  @Test
  @DisplayName("CON-02, STM-08: of many threads that end a trajectory one succeeds")
  void oneEnds() throws Exception {
    Trajectory trajectory = start();
    List<Boolean> ended =
        atOnce(
            number -> {
              try {
                run(EndTrajectory.complete(trajectory.id(), "by " + number));
                return true;
              } catch (dev.caliber.kernel.KernelException _) {
                return false;
              }
            });
    assertThat(ended.stream().filter(won -> won)).hasSize(1);
  }

  private static <T> List<T> atOnce(IntFunction<T> work) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool =
        Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().name("test-", 0).factory())) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        Callable<T> task =
            () -> {
              start.await();
              return work.apply(number);
            };
        running.add(pool.submit(task));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    }
  }
}
