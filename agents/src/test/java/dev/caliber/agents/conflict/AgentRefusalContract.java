package dev.caliber.agents.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.RequeueMessage;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.RevokeLease;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.TransitionConflict;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Refusals of commands: each has a code, is recorded and changes nothing. */
@EachEngine
class AgentRefusalContract extends AgentsFixture {

  /** Existing records: an expired lease, a live one, a message and a task of Anna's. */
  record Scene(AgentsFixture fixture, Lease ended, Lease held, Message message, Id task) {
    <R> R run(AgentCommand<R> command) {
      return fixture.run(command);
    }
  }

  /** Refused action. */
  record Refusal(String name, AgentsErrorCode code, Attempt attempt) {
    @Override
    public String toString() {
      return name + " is " + code;
    }
  }

  /** Runs the action. */
  interface Attempt {
    Object in(Scene scene);
  }

  private static final MessageContent LETTER = MessageContent.of("work", "{}");

  static Stream<Refusal> refusals() {
    return Stream.of(agents(), leases(), mail(), work()).flatMap(List::stream);
  }

  private static Refusal refusal(String name, AgentsErrorCode code, Attempt attempt) {
    return new Refusal(name, code, attempt);
  }

  private static List<Refusal> agents() {
    return List.of(
        refusal(
            "a sign of life of an unknown agent",
            AgentsErrorCode.NOT_REGISTERED,
            scene -> scene.run(RecordHeartbeats.of(NOBODY))),
        refusal(
            "a lease for an unknown agent",
            AgentsErrorCode.NOT_REGISTERED,
            scene -> scene.run(AcquireLease.shared(NOBODY, OTHER_FILE))),
        refusal(
            "a message from an unknown agent",
            AgentsErrorCode.NOT_REGISTERED,
            scene -> scene.run(SendMessage.of(NOBODY, Recipient.ofAgent(ANNA), LETTER))),
        refusal(
            "a superior that is below",
            AgentsErrorCode.CIRCULAR_REPORTING,
            scene ->
                scene.run(RegisterAgent.of("planner", AgentProfile.of("lead").withSuperior(ANNA)))),
        refusal(
            "memory that was not granted",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.fixture().permission(BEN, RequiredPermissions.forWriting(MemoryKind.NOTE))));
  }

  private static List<Refusal> leases() {
    return List.of(
        refusal(
            "renewing what has ended",
            AgentsErrorCode.LEASE_EXPIRED,
            scene -> scene.run(RenewLease.of(scene.ended()))),
        refusal(
            "releasing another agent's lease",
            AgentsErrorCode.PERMISSION_DENIED,
            scene -> scene.run(new ReleaseLease(BEN, scene.held().id()))),
        refusal(
            "requesting what another agent holds",
            AgentsErrorCode.LEASE_NOT_ACQUIRED,
            scene -> scene.run(AcquireLease.exclusive(BEN, FILE))),
        refusal(
            "writing after one's turn",
            AgentsErrorCode.STALE_FENCE,
            scene ->
                scene
                    .fixture()
                    .agents
                    .writeFenced(
                        SPACE, BEN, scene.ended().fence(), transaction -> transaction.newId())));
  }

  private static List<Refusal> mail() {
    return List.of(
        refusal(
            "a message to an unknown agent",
            AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
            scene -> scene.run(SendMessage.of(ANNA, Recipient.ofAgent(NOBODY), LETTER))),
        refusal(
            "a message to a type without agents",
            AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
            scene -> scene.run(SendMessage.of(ANNA, Recipient.ofType("painter"), LETTER))),
        refusal(
            "acknowledging another agent's message",
            AgentsErrorCode.PERMISSION_DENIED,
            scene -> scene.run(new AcknowledgeMessage(BEN, scene.message().id()))),
        refusal(
            "acknowledging what is not there",
            AgentsErrorCode.UNKNOWN_RECORD,
            scene -> scene.run(new AcknowledgeMessage(ANNA, scene.fixture().unknown()))));
  }

  private static List<Refusal> work() {
    return List.of(
        refusal(
            "work for a type that one may not delegate to",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.run(
                    CreateDelegation.of(
                        PLANNER, Recipient.ofAgent(CARA), DelegatedTask.of("Do", scene.task())))),
        refusal(
            "work for oneself",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.run(
                    CreateDelegation.of(
                        ANNA, Recipient.ofAgent(ANNA), DelegatedTask.of("Do", scene.task())))),
        refusal(
            "handing over a task that one is not at",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.run(
                    StartHandoff.of(
                        BEN,
                        Recipient.ofAgent(CARA),
                        scene.task(),
                        HandoffOutline.of("notes", "reason")))));
  }

  /** Returns every command of agents, given by an unregistered agent. */
  private static List<AgentCommand<?>> commandsOfNobody(Scene scene) {
    Id id = scene.message().id();
    return List.of(
        RegisterAgent.of("dora", AgentProfile.of("coder").withSuperior(NOBODY)),
        new UnregisterAgent(NOBODY, true, "an operator"),
        new TransitionAgent(NOBODY, AgentStatus.AgentTransition.ACTIVATE),
        RecordHeartbeats.of(NOBODY),
        AcquireLease.shared(NOBODY, OTHER_FILE),
        new RenewLease(NOBODY, scene.held().id(), Optional.empty()),
        new ReleaseLease(NOBODY, scene.held().id()),
        new LeaveLeaseQueue(NOBODY, FILE),
        SendMessage.of(NOBODY, Recipient.ofAgent(ANNA), LETTER),
        new ReceiveMessages(NOBODY, 1),
        new AcknowledgeMessage(NOBODY, id),
        new ReturnMessage(NOBODY, id),
        new AssignTask(NOBODY, scene.task()),
        CreateDelegation.of(NOBODY, Recipient.ofAgent(ANNA), DelegatedTask.of("Do", scene.task())),
        TransitionDelegation.of(NOBODY, id, DelegationStatus.DelegationTransition.ACCEPT),
        StartHandoff.of(
            NOBODY, Recipient.ofAgent(ANNA), scene.task(), HandoffOutline.of("notes", "reason")),
        new TransitionHandoff(NOBODY, id, HandoffStatus.HandoffTransition.ACCEPT),
        new ReportConflict(
            NOBODY,
            ConflictType.GOAL_CONFLICT,
            Conflict.ConflictSide.of(ANNA),
            Conflict.ConflictSide.of(BEN),
            "who is first",
            Optional.empty()),
        TransitionConflict.of(NOBODY, id, ConflictStatus.ConflictTransition.BEGIN));
  }

  @Test
  @DisplayName("AGT-02, ERR-07: an unregistered agent is refused in any operation")
  void nobodyIsRefusedEverywhere() {
    Scene scene = scene();
    List<AgentCommand<?>> commands = commandsOfNobody(scene);
    assertThat(commands)
        .extracting(command -> (Object) command.getClass())
        .as("every command that is an agent's")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(AgentCommand.class.getPermittedSubclasses())
                .filter(type -> type != RevokeLease.class && type != RequeueMessage.class)
                .toList());
    commands.forEach(command -> isRecorded(command, () -> run(command)));
    List<ThrowingCallable> others =
        List.of(
            () -> agents.writeFenced(SPACE, NOBODY, scene.held().fence(), Transaction::newId),
            () -> agents.awaitMessages(SPACE, new ReceiveMessages(NOBODY, 1), Duration.ZERO),
            () -> agents.awaitLease(SPACE, AcquireLease.shared(NOBODY, FILE), Duration.ZERO),
            () -> agents.briefing(SPACE, NOBODY, scene.task()),
            () -> agents.detectConflicts(SPACE, new DetectConflicts(NOBODY, scene.task())),
            () -> permission(NOBODY, RequiredPermissions.NOTHING));
    others.forEach(call -> isRecorded("another call", call));
  }

  private void isRecorded(Object what, ThrowingCallable call) {
    int before = traces("agent_command_rejected").size();
    refuses(AgentsErrorCode.NOT_REGISTERED, call);
    assertThat(traces("agent_command_rejected")).as("%s", what).hasSize(before + 1);
  }

  @Test
  @DisplayName(
      "AGT-03: an agent that uses another agent's name, or an operator's action, is refused, and it"
          + " is recorded")
  void nobodyActsAsAnother() {
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> permission(ANNA, RequiredPermissions.forAgents(List.of(BEN))));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> permission(ANNA, RequiredPermissions.forOperator("run_cleanup")));
    assertThat(traces("agent_command_rejected")).hasSize(2);
  }

  @Test
  @DisplayName("AGT-02: an agent that has failed does not wait for mail, it is refused at once")
  void theFailedDoNotWait() {
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.FAIL));
    refuses(
        AgentsErrorCode.AGENT_FAILED,
        () -> agents.awaitMessages(SPACE, new ReceiveMessages(ANNA, 1), Duration.ofSeconds(30)));
    assertThat(traces("agent_command_rejected")).hasSize(1);
  }

  private Scene scene() {
    Lease ended =
        run(AcquireLease.exclusive(BEN, OTHER_FILE).withDuration(Duration.ofSeconds(5)))
            .grantedLease()
            .orElseThrow();
    clock.advance(Duration.ofSeconds(6));
    Lease held = hold(ANNA, FILE);
    run(SendMessage.of(BEN, Recipient.ofAgent(ANNA), LETTER));
    Message message = run(new ReceiveMessages(ANNA, 1)).getFirst();
    return new Scene(this, ended, held, message, task().id());
  }

  /** The fields that the requirement lists, by code. */
  private static final Map<AgentsErrorCode, Set<String>> FIELDS =
      Map.of(
          AgentsErrorCode.NOT_REGISTERED, Set.of("agent"),
          AgentsErrorCode.LEASE_NOT_ACQUIRED, Set.of("resource", "holder"),
          AgentsErrorCode.LEASE_EXPIRED, Set.of("lease"),
          AgentsErrorCode.MESSAGE_DELIVERY_FAILED, Set.of("message", "reason"),
          AgentsErrorCode.DELEGATION_FAILED, Set.of("reason"),
          AgentsErrorCode.HANDOFF_FAILED, Set.of("reason"),
          AgentsErrorCode.PERMISSION_DENIED, Set.of("agent", "action", "resource"));

  private static Map<AgentsErrorCode, Attempt> examples() {
    return Map.of(
        AgentsErrorCode.NOT_REGISTERED,
        scene -> scene.run(RecordHeartbeats.of(NOBODY)),
        AgentsErrorCode.LEASE_NOT_ACQUIRED,
        scene -> scene.run(AcquireLease.exclusive(BEN, FILE)),
        AgentsErrorCode.LEASE_EXPIRED,
        scene -> scene.run(RenewLease.of(scene.ended())),
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        scene -> {
          scene.run(new ReturnMessage(ANNA, scene.message().id()));
          return scene.run(new ReturnMessage(ANNA, scene.message().id()));
        },
        AgentsErrorCode.DELEGATION_FAILED,
        scene -> {
          Id work =
              scene
                  .run(
                      CreateDelegation.of(
                          PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do", scene.task())))
                  .id();
          scene.run(
              TransitionDelegation.of(ANNA, work, DelegationStatus.DelegationTransition.ACCEPT));
          return scene.run(
              TransitionDelegation.of(ANNA, work, DelegationStatus.DelegationTransition.ACCEPT));
        },
        AgentsErrorCode.HANDOFF_FAILED,
        scene -> {
          scene.run(new AssignTask(ANNA, scene.task()));
          StartHandoff over =
              StartHandoff.of(
                  ANNA, Recipient.ofAgent(BEN), scene.task(), HandoffOutline.of("notes", "reason"));
          scene.run(over);
          return scene.run(over);
        },
        AgentsErrorCode.PERMISSION_DENIED,
        scene -> scene.run(new ReleaseLease(BEN, scene.held().id())));
  }

  @Test
  @DisplayName("ERR-07: every field that the requirement lists is in its error, and in the message")
  void fieldsAreNamed() {
    assertThat(examples().keySet()).isEqualTo(FIELDS.keySet());
    Scene scene = scene();
    examples()
        .forEach(
            (code, attempt) ->
                assertThatThrownBy(() -> attempt.in(scene))
                    .isInstanceOfSatisfying(
                        AgentsException.class,
                        refusal -> {
                          assertThat(refusal.code()).isEqualTo(code);
                          assertThat(refusal.fields().keySet()).isEqualTo(FIELDS.get(code));
                          refusal
                              .fields()
                              .values()
                              .forEach(value -> assertThat(refusal.message()).contains(value));
                        }));
    assertThat(refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(BEN, FILE)).fields())
        .containsExactly(entry("holder", "anna"), entry("resource", FILE.toString()));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  @DisplayName("AGT-02, AGT-03, AGT-06, AGT-12, ERR-07: refusals have a code, and change nothing")
  void isRefused(Refusal refusal) {
    Scene scene = scene();
    int traces = traces("agent_command_rejected").size();
    refuses(refusal.code(), () -> refusal.attempt().in(scene));
    assertThat(traces("agent_command_rejected")).hasSize(traces + 1);
    assertThat(traces("agent_command_rejected").getFirst().detail().orElseThrow())
        .endsWith(refusal.code().name());
  }
}
