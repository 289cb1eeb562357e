package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.Remember;
import dev.caliber.store.Transaction;
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

/** What agents are refused: coded, recorded, and nothing changed; on whatever engine. */
abstract class AgentRefusalContract extends AgentsFixture {

  /** What is there before: a lease that ended, one that lives, a message and work of Anna's. */
  record Scene(AgentsFixture fixture, Lease ended, Lease held, Message message, Id task) {
    <R> R run(AgentCommand<R> command) {
      return fixture.run(command);
    }
  }

  /** Something that is refused. */
  record Refusal(String name, AgentsErrorCode code, Attempt attempt) {
    @Override
    public String toString() {
      return name + " is " + code;
    }
  }

  /** Tries it. */
  interface Attempt {
    Object in(Scene scene);
  }

  private static final Letter LETTER = Letter.of("work", "{}");

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
            scene -> scene.run(Beat.of(NOBODY))),
        refusal(
            "a lease for an unknown agent",
            AgentsErrorCode.NOT_REGISTERED,
            scene -> scene.run(AcquireLease.shared(NOBODY, OTHER_FILE))),
        refusal(
            "a message from an unknown agent",
            AgentsErrorCode.NOT_REGISTERED,
            scene -> scene.run(SendMessage.of(NOBODY, Address.agent(ANNA), LETTER))),
        refusal(
            "a superior that is below",
            AgentsErrorCode.CIRCULAR_REPORTING,
            scene -> scene.run(RegisterAgent.of("planner", Profile.of("lead").under(ANNA)))),
        refusal(
            "memory that was not granted",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene
                    .fixture()
                    .agents
                    .memoryOf(SPACE, BEN)
                    .remember(SPACE, Remember.of("Hello."))));
  }

  private static List<Refusal> leases() {
    return List.of(
        refusal(
            "renewing what has ended",
            AgentsErrorCode.LOCK_EXPIRED,
            scene -> scene.run(RenewLease.of(scene.ended()))),
        refusal(
            "releasing somebody else's lease",
            AgentsErrorCode.PERMISSION_DENIED,
            scene -> scene.run(new ReleaseLease(BEN, scene.held().id()))),
        refusal(
            "taking what somebody else holds",
            AgentsErrorCode.LOCK_ACQUISITION_FAILED,
            scene -> scene.run(AcquireLease.exclusive(BEN, FILE))),
        refusal(
            "writing after one's turn",
            AgentsErrorCode.STALE_FENCE,
            scene ->
                scene
                    .fixture()
                    .agents
                    .write(SPACE, BEN, scene.ended().fence(), transaction -> transaction.newId())));
  }

  private static List<Refusal> mail() {
    return List.of(
        refusal(
            "a message to nobody",
            AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
            scene -> scene.run(SendMessage.of(ANNA, Address.agent(NOBODY), LETTER))),
        refusal(
            "a message to a type that nobody is of",
            AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
            scene -> scene.run(SendMessage.of(ANNA, Address.type("painter"), LETTER))),
        refusal(
            "acknowledging somebody else's message",
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
                scene.run(Delegate.of(PLANNER, Address.agent(CARA), Task.of("Do", scene.task())))),
        refusal(
            "work for oneself",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.run(Delegate.of(ANNA, Address.agent(ANNA), Task.of("Do", scene.task())))),
        refusal(
            "handing over a task that one is not at",
            AgentsErrorCode.PERMISSION_DENIED,
            scene ->
                scene.run(
                    HandOver.of(
                        BEN, Address.agent(CARA), scene.task(), Outline.of("notes", "reason")))));
  }

  /** Every command that an agent can give, by one that nobody registered. */
  private static List<AgentCommand<?>> commandsOfNobody(Scene scene) {
    Id id = scene.message().id();
    return List.of(
        RegisterAgent.of("dora", Profile.of("coder").under(NOBODY)),
        new UnregisterAgent(NOBODY, true, "an operator"),
        new MoveAgent(NOBODY, AgentStatus.Event.ACTIVATE),
        Beat.of(NOBODY),
        AcquireLease.shared(NOBODY, OTHER_FILE),
        new RenewLease(NOBODY, scene.held().id(), Optional.empty()),
        new ReleaseLease(NOBODY, scene.held().id()),
        new LeaveQueue(NOBODY, FILE),
        SendMessage.of(NOBODY, Address.agent(ANNA), LETTER),
        new ReceiveMessages(NOBODY, 1),
        new AcknowledgeMessage(NOBODY, id),
        new ReturnMessage(NOBODY, id),
        new WorkOn(NOBODY, scene.task()),
        Delegate.of(NOBODY, Address.agent(ANNA), Task.of("Do", scene.task())),
        MoveDelegation.of(NOBODY, id, DelegationStatus.Event.ACCEPT),
        HandOver.of(NOBODY, Address.agent(ANNA), scene.task(), Outline.of("notes", "reason")),
        new MoveHandoff(NOBODY, id, HandoffStatus.Event.ACCEPT),
        new ReportConflict(
            NOBODY,
            ConflictType.GOAL_CONFLICT,
            Conflict.Item.of(ANNA),
            Conflict.Item.of(BEN),
            "who is first",
            Optional.empty()),
        MoveConflict.of(NOBODY, id, ConflictStatus.Event.BEGIN));
  }

  @Test
  @DisplayName("AGT-02, ERR-07: an agent that nobody registered is refused in any operation")
  void nobodyIsRefusedEverywhere() {
    Scene scene = scene();
    List<AgentCommand<?>> commands = commandsOfNobody(scene);
    assertThat(commands)
        .extracting(command -> (Object) command.getClass())
        .as("every command that is an agent's")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(AgentCommand.class.getPermittedSubclasses())
                .filter(type -> type != RevokeLease.class && type != ReviveMessage.class)
                .toList());
    commands.forEach(command -> isRecorded(command, () -> run(command)));
    List<ThrowingCallable> others =
        List.of(
            () -> agents.write(SPACE, NOBODY, scene.held().fence(), Transaction::newId),
            () -> agents.await(SPACE, new ReceiveMessages(NOBODY, 1), Duration.ZERO),
            () -> agents.await(SPACE, AcquireLease.shared(NOBODY, FILE), Duration.ZERO),
            () -> agents.briefing(SPACE, NOBODY, scene.task()),
            () -> agents.detect(SPACE, new DetectConflicts(NOBODY, scene.task())),
            () -> agents.memoryOf(SPACE, NOBODY).remember(SPACE, Remember.of("Hello.")));
    others.forEach(call -> isRecorded("another call", call));
  }

  private void isRecorded(Object what, ThrowingCallable call) {
    int before = traces("agent_refused").size();
    refuses(AgentsErrorCode.NOT_REGISTERED, call);
    assertThat(traces("agent_refused")).as("%s", what).hasSize(before + 1);
  }

  @Test
  @DisplayName(
      "AGT-03: who asks memory for another's name, or for its jobs, is refused, and told of")
  void nobodyActsAsAnother() {
    Memory annas = agents.memoryOf(SPACE, ANNA);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> annas.as("ben"));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> annas.attach(jobs));
    assertThat(traces("agent_refused")).hasSize(2);
  }

  @Test
  @DisplayName("AGT-02: an agent that has failed does not wait for mail, it is refused at once")
  void theFailedDoNotWait() {
    run(new MoveAgent(ANNA, AgentStatus.Event.FAIL));
    refuses(
        AgentsErrorCode.AGENT_FAILED,
        () -> agents.await(SPACE, new ReceiveMessages(ANNA, 1), Duration.ofSeconds(30)));
    assertThat(traces("agent_refused")).hasSize(1);
  }

  private Scene scene() {
    Lease ended =
        run(AcquireLease.exclusive(BEN, OTHER_FILE).lasting(Duration.ofSeconds(5)))
            .granted()
            .orElseThrow();
    clock.advance(Duration.ofSeconds(6));
    Lease held = hold(ANNA, FILE);
    run(SendMessage.of(BEN, Address.agent(ANNA), LETTER));
    Message message = run(new ReceiveMessages(ANNA, 1)).getFirst();
    return new Scene(this, ended, held, message, task().id());
  }

  /** The fields that the requirement lists, by code. */
  private static final Map<AgentsErrorCode, Set<String>> FIELDS =
      Map.of(
          AgentsErrorCode.NOT_REGISTERED, Set.of("agent_id"),
          AgentsErrorCode.LOCK_ACQUISITION_FAILED, Set.of("resource", "holder"),
          AgentsErrorCode.LOCK_EXPIRED, Set.of("lock_id"),
          AgentsErrorCode.MESSAGE_DELIVERY_FAILED, Set.of("message_id", "reason"),
          AgentsErrorCode.DELEGATION_FAILED, Set.of("reason"),
          AgentsErrorCode.HANDOFF_FAILED, Set.of("reason"),
          AgentsErrorCode.PERMISSION_DENIED, Set.of("agent_id", "action", "resource"));

  private static Map<AgentsErrorCode, Attempt> examples() {
    return Map.of(
        AgentsErrorCode.NOT_REGISTERED,
        scene -> scene.run(Beat.of(NOBODY)),
        AgentsErrorCode.LOCK_ACQUISITION_FAILED,
        scene -> scene.run(AcquireLease.exclusive(BEN, FILE)),
        AgentsErrorCode.LOCK_EXPIRED,
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
                  .run(Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Do", scene.task())))
                  .id();
          scene.run(MoveDelegation.of(ANNA, work, DelegationStatus.Event.ACCEPT));
          return scene.run(MoveDelegation.of(ANNA, work, DelegationStatus.Event.ACCEPT));
        },
        AgentsErrorCode.HANDOFF_FAILED,
        scene -> {
          scene.run(new WorkOn(ANNA, scene.task()));
          HandOver over =
              HandOver.of(ANNA, Address.agent(BEN), scene.task(), Outline.of("notes", "reason"));
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
    assertThat(refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(BEN, FILE)).fields())
        .containsExactly(entry("holder", "anna"), entry("resource", FILE.toString()));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  @DisplayName("AGT-02, AGT-03, AGT-06, AGT-12, ERR-07: refusals have a code, and change nothing")
  void isRefused(Refusal refusal) {
    Scene scene = scene();
    int traces = traces("agent_refused").size();
    refuses(refusal.code(), () -> refusal.attempt().in(scene));
    assertThat(traces("agent_refused")).hasSize(traces + 1);
    assertThat(traces("agent_refused").getFirst().detail().orElseThrow())
        .endsWith(refusal.code().name());
  }
}
