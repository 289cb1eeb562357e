package dev.caliber.agents.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Agents that delegate work to each other. */
abstract class WorkFixture extends AgentsFixture {
  static final HandoffOutline OUTLINE =
      new HandoffOutline(
          "Half of it is done.",
          List.of("Write the test"),
          List.of("No access to the server"),
          List.of("Which version?"),
          "end of shift");

  Note note(String words) {
    return memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words));
  }

  Scope scope(Trajectory task) {
    return memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
  }

  Artifact artifact(Trajectory task, String words) {
    return memory
        .run(
            SPACE,
            CreateArtifacts.of(
                NewArtifact.of(scope(task).id(), ArtifactType.FACT, Bytes.of(words))))
        .getFirst();
  }

  Delegation delegate(Recipient to) {
    return run(CreateDelegation.of(PLANNER, to, DelegatedTask.of("Write the test", task().id())));
  }

  Delegation read(Delegation delegation) {
    return agents.view(SPACE, view -> view.delegation(delegation.id()));
  }

  Delegation accept(AgentId agent, Delegation delegation) {
    return run(
        TransitionDelegation.of(
            agent, delegation.id(), DelegationStatus.DelegationTransition.ACCEPT));
  }

  Delegation move(
      AgentId agent,
      Delegation delegation,
      DelegationStatus.DelegationTransition delegationTransition) {
    return run(TransitionDelegation.of(agent, delegation.id(), delegationTransition));
  }

  /**
   * Starts three concurrent tries of each agent: exactly one wins, the others fail with this code.
   */
  void race(List<AgentId> racers, AgentsErrorCode lost, Consumer<AgentId> start) throws Exception {
    int tries = 3 * racers.size();
    AtomicInteger won = new AtomicInteger();
    try (ExecutorService pool = threads()) {
      List<Future<?>> all =
          IntStream.range(0, tries)
              .<Future<?>>mapToObj(
                  i -> pool.submit(() -> tryToWin(racers.get(i % racers.size()), lost, start, won)))
              .toList();
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(won.get()).isEqualTo(1);
  }

  private static void tryToWin(
      AgentId racer, AgentsErrorCode lost, Consumer<AgentId> start, AtomicInteger won) {
    try {
      start.accept(racer);
      won.incrementAndGet();
    } catch (AgentsException e) {
      assertThat(e.code()).isEqualTo(lost);
    }
  }

  Trajectory annasTask() {
    Trajectory task = task();
    memory.run(SPACE, AppendTurns.of(scope(task).id(), NewTurn.user("Please mend the build.")));
    run(new AssignTask(ANNA, task.id()));
    return task;
  }

  Handoff read(Handoff handoff) {
    return agents.view(SPACE, view -> view.handoff(handoff.id()));
  }
}
