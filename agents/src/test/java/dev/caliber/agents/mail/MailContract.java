package dev.caliber.agents.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RequeueMessage;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.agents.registry.ResultPage;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.pcp.CleanupCounts;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages between agents. */
@EachEngine
class MailContract extends AgentsFixture {
  private static final Duration DEAD_LETTERS = Duration.ofDays(30);

  @Override
  public AgentsConfig config(AgentsConfig starter) {
    return starter.with(
        "agents.messages.acknowledgement-timeout = '10s'",
        "agents.messages.max-deliveries = 2",
        "agents.messages.inbox-limit = 4",
        "agents.messages.batch = 10",
        "agents.messages.payload-limit = '1KiB'",
        "agents.messages.dead-letter-retention = '30d'");
  }

  private SendMessage to(AgentId agent, String word) {
    return SendMessage.of(
        PLANNER,
        Recipient.ofAgent(agent),
        MessageContent.of("task", "{\"word\":\"" + word + "\"}"));
  }

  private SendMessage toCoders(String word) {
    return SendMessage.of(
        PLANNER,
        Recipient.ofType("coder"),
        MessageContent.of("task", "{\"word\":\"" + word + "\"}"));
  }

  private List<Message> receive(AgentId agent) {
    return run(new ReceiveMessages(agent, 10));
  }

  private List<Message> waiting(AgentId agent) {
    return listed(view -> view.waitingMessages(agent, clock.instant(), 10));
  }

  @Test
  @DisplayName("AGT-08, STO-12: a message keeps sender, recipient, letter, priority and times")
  void sends() {
    Message sent =
        run(
            to(ANNA, "mend")
                .withPriority(MessagePriority.HIGH)
                .withLifetime(Duration.ofMinutes(1)));
    assertThat(read(sent)).isEqualTo(sent);
    assertThat(sent.from()).isEqualTo(PLANNER);
    assertThat(sent.createdAt()).isEqualTo(clock.instant());
    assertThat(sent.expiresAt()).contains(clock.instant().plusSeconds(60));
    assertThat(sent.delivery().deliveredAt()).isEmpty();
    assertThat(run(to(ANNA, "more")).priority()).isEqualTo(MessagePriority.NORMAL);
    refuses(
        KernelErrorCode.REQUIRED_FIELD_MISSING,
        () -> new Recipient(Optional.empty(), Optional.empty()));
    refuses(KernelErrorCode.INVALID_VALUE, () -> MessageContent.of("task", "no json"));
  }

  @Test
  @DisplayName("AGT-09, J-48: critical before high before normal before low, then the oldest")
  void order() {
    Message low = run(to(ANNA, "low").withPriority(MessagePriority.LOW));
    Message normal = run(toCoders("normal"));
    Message older = run(to(ANNA, "older").withPriority(MessagePriority.HIGH));
    Message newer = run(toCoders("newer").withPriority(MessagePriority.HIGH));
    Message critical = run(to(ANNA, "critical").withPriority(MessagePriority.CRITICAL));
    assertThat(waiting(ANNA)).containsExactly(critical, older, newer, normal, low);
    assertThat(waiting(BEN)).containsExactly(newer, normal);
    assertThat(waiting(CARA)).isEmpty();
    assertThat(run(new ReceiveMessages(ANNA, 2)))
        .extracting(Message::id)
        .containsExactly(critical.id(), older.id());
  }

  @Test
  @DisplayName("STO-12: an inbox comes part by part, each message once, in its order")
  void inParts() {
    for (MessagePriority messagePriority :
        List.of(MessagePriority.LOW, MessagePriority.HIGH, MessagePriority.NORMAL)) {
      run(to(ANNA, "mine").withPriority(messagePriority));
      run(toCoders("ours").withPriority(messagePriority));
    }
    List<Message> all = waiting(ANNA);
    assertThat(all).hasSize(6);
    List<Message> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Optional<String> after = next;
      ResultPage<Message> resultPage =
          agents.view(
              SPACE,
              view -> view.waitingMessages(Recipient.ofAgent(ANNA), clock.instant(), after, 2));
      found.addAll(resultPage.records());
      next = resultPage.next();
      run(new ReceiveMessages(ANNA, 1)); // a message claimed meanwhile leaves no gap
    } while (next.isPresent());
    assertThat(found).isEqualTo(all);
    for (String wrong : List.of("1-2", "1-2-3", "a-2-01JD0000000000000000000000")) {
      refuses(
          KernelErrorCode.INVALID_VALUE,
          () ->
              agents.view(
                  SPACE,
                  view ->
                      view.waitingMessages(
                          Recipient.ofType("coder"), clock.instant(), Optional.of(wrong), 2)));
    }
  }

  @Test
  @DisplayName("AGT-10, STO-12: delivered, then acknowledged, each time set once")
  void deliveredAndAcknowledged() {
    Message sent = run(to(ANNA, "mend"));
    clock.advance(Duration.ofSeconds(1));
    Message delivered = receive(ANNA).getFirst();
    assertThat(delivered.delivery().deliveredAt()).contains(clock.instant());
    assertThat(waiting(ANNA)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    Message done = run(new AcknowledgeMessage(ANNA, sent.id()));
    assertThat(done.delivery().acknowledgedAt()).contains(clock.instant());
    clock.advance(Duration.ofSeconds(1));
    assertThat(run(new AcknowledgeMessage(ANNA, sent.id()))).isEqualTo(done);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(new AcknowledgeMessage(BEN, sent.id())));
  }

  @Test
  @DisplayName("STO-12: what waits for a type is found by the type, without what is for one agent")
  void pendingByType() {
    run(SendMessage.of(PLANNER, Recipient.ofAgent(ANNA), MessageContent.of("hint", "{}")));
    run(toCoders("brief").withLifetime(Duration.ofSeconds(5)));
    Message low = run(toCoders("later").withPriority(MessagePriority.LOW));
    Message high = run(toCoders("now").withPriority(MessagePriority.HIGH));
    clock.advance(Duration.ofSeconds(5));
    assertThat(waiting("coder", 10)).containsExactly(high, low);
    assertThat(waiting("coder", 1)).containsExactly(high);
    assertThat(waiting("reviewer", 10)).isEmpty();
  }

  private List<Message> waiting(String type, int limit) {
    return listed(view -> view.waitingMessages(type, clock.instant(), limit));
  }

  @Test
  @DisplayName("AGT-10: a message that is not acknowledged in time is delivered again, then dead")
  void redelivery() {
    Message sent = run(toCoders("mend"));
    Message first = receive(ANNA).getFirst();
    passAlive(Duration.ofSeconds(11), PLANNER, ANNA, BEN);
    assertThat(read(sent).state()).isEqualTo(MessageState.PENDING);
    refuses(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        () -> run(new AcknowledgeMessage(ANNA, sent.id())));
    Message second = receive(BEN).getFirst();
    assertThat(second.delivery().attempts()).isEqualTo(2);
    assertThat(second.delivery().deliveredAt()).isEqualTo(first.delivery().deliveredAt());
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(new AcknowledgeMessage(ANNA, sent.id())));
    passAlive(Duration.ofSeconds(11), PLANNER, ANNA, BEN);
    assertThat(listed(view -> view.messages(MessageState.DEAD)))
        .extracting(Message::id)
        .containsExactly(sent.id());
    run(new RequeueMessage(sent.id(), "an operator"));
    receive(ANNA);
    assertThat(run(new AcknowledgeMessage(ANNA, sent.id())).state())
        .isEqualTo(MessageState.ACKNOWLEDGED);
  }

  @Test
  void aMessageCanBeGivenBack() {
    Message sent = run(toCoders("mend"));
    receive(ANNA);
    run(new ReturnMessage(ANNA, sent.id()));
    assertThat(receive(BEN)).extracting(Message::id).containsExactly(sent.id());
    assertThat(run(new ReturnMessage(BEN, sent.id())).state()).isEqualTo(MessageState.DEAD);
  }

  @Test
  @DisplayName("AGT-09: an expired message is not delivered, with or without a job")
  void expiry() {
    Message one = run(to(ANNA, "one").withLifetime(Duration.ofSeconds(5)));
    passAlive(Duration.ofSeconds(6), PLANNER, ANNA);
    assertThat(read(one).state()).isEqualTo(MessageState.EXPIRED);
    Message two = run(to(ANNA, "two").withLifetime(Duration.ofSeconds(5)));
    clock.advance(Duration.ofSeconds(5));
    assertThat(receive(ANNA)).isEmpty();
    passAlive(Duration.ofSeconds(1), PLANNER, ANNA);
    assertThat(read(two).state()).isEqualTo(MessageState.EXPIRED);
  }

  @Test
  @DisplayName("AGT-09: the same key again answers the first message, and refuses another one")
  void sendingAgainWithTheSameKeyChangesNothing() {
    Message first = run(to(ANNA, "mend").withKey("k"));
    assertThat(run(to(ANNA, "mend").withKey("k"))).isEqualTo(first);
    refuses(AgentsErrorCode.IDEMPOTENCY_KEY_REUSED, () -> run(to(BEN, "mend").withKey("k")));
    refuses(AgentsErrorCode.IDEMPOTENCY_KEY_REUSED, () -> run(to(ANNA, "other").withKey("k")));
    assertThat(
            run(SendMessage.of(CARA, Recipient.ofAgent(ANNA), MessageContent.of("t", "{}"))
                    .withKey("k"))
                .id())
        .isNotEqualTo(first.id());
    assertThat(waiting(ANNA)).hasSize(2);
    assertThat(waiting(BEN)).isEmpty();
  }

  @Test
  @DisplayName("AGT-09: a payload that names the same in another order is the same message")
  void theOrderOfAPayloadMakesNoDifference() {
    Message first = run(payload("{\"file\": \"a\", \"line\": {\"from\": 1, \"to\": 2}}"));
    assertThat(run(payload("{\"line\":{\"to\":2,\"from\":1},\"file\":\"a\"}"))).isEqualTo(first);
    refuses(
        AgentsErrorCode.IDEMPOTENCY_KEY_REUSED,
        () -> run(payload("{\"line\":{\"to\":3,\"from\":1},\"file\":\"a\"}")));
  }

  private static SendMessage payload(String json) {
    return SendMessage.of(CARA, Recipient.ofAgent(ANNA), MessageContent.of("t", json)).withKey("k");
  }

  @Test
  void aMessageToNobodyIsRefused() {
    refuses(AgentsErrorCode.MESSAGE_DELIVERY_FAILED, () -> run(to(NOBODY, "hello")));
    refuses(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        () -> run(SendMessage.of(ANNA, Recipient.ofType("painter"), MessageContent.of("t", "{}"))));
    refuses(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        () ->
            run(
                SendMessage.of(
                    ANNA,
                    new Recipient(Optional.of(CARA), Optional.of("coder")),
                    MessageContent.of("t", "{}"))));
  }

  @Test
  void aFullInboxRefuses() {
    IntStream.range(0, 4).forEach(i -> run(to(ANNA, "m" + i)));
    refuses(AgentsErrorCode.INBOX_FULL, () -> run(to(ANNA, "one too many")));
    run(to(BEN, "fine"));
    Message taken = receive(ANNA).getFirst();
    refuses(AgentsErrorCode.INBOX_FULL, () -> run(to(ANNA, "they may come back")));
    run(new AcknowledgeMessage(ANNA, taken.id()));
    run(to(ANNA, "room again"));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> run(new ReceiveMessages(ANNA, 11)));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> run(to(ANNA, "x".repeat(1024))));
  }

  @Test
  @DisplayName("STO-12, J-40: a dead letter waits to be revived, if there is room")
  void deadLettersStay() {
    Message dead = died(to(ANNA, "mend"));
    pass(DEAD_LETTERS.minusDays(1));
    assertThat(read(dead).state()).isEqualTo(MessageState.DEAD);
    assertThat(agents.view(SPACE, view -> view.coordinationStatus(clock.instant())).stuck())
        .anyMatch(stuckItem -> stuckItem.id().equals(dead.id().toString()));
    run(RecordHeartbeats.of(PLANNER));
    IntStream.range(0, 4).forEach(i -> run(to(ANNA, "m" + i)));
    RequeueMessage revive = new RequeueMessage(dead.id(), "an operator");
    refuses(AgentsErrorCode.INBOX_FULL, () -> run(revive));
    run(RecordHeartbeats.of(ANNA));
    run(new AcknowledgeMessage(ANNA, receive(ANNA).getFirst().id()));
    assertThat(run(revive).state()).isEqualTo(MessageState.PENDING);
    assertThat(traces("message_requeued").getFirst().detail())
        .contains(dead.id() + " by an operator");
  }

  /** Claims and returns a message until it is a dead letter. */
  private Message died(SendMessage send) {
    Message sent = run(send);
    for (int i = 0; i < 2; i++) {
      receive(ANNA);
      run(new ReturnMessage(ANNA, sent.id()));
    }
    return read(sent);
  }

  @Test
  @DisplayName(
      "STO-12, J-40: a dead letter that is not requeued expires, and is removed as expired")
  void deadLettersEnd() {
    Message dead = died(to(ANNA, "mend"));
    pass(DEAD_LETTERS.plusSeconds(2));
    assertThat(read(dead).state()).isEqualTo(MessageState.EXPIRED);
    assertThat(traces("message_expired")).hasSize(1);
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> run(new RequeueMessage(dead.id(), "an operator")));
    pass(Duration.ofDays(8));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(dead));
  }

  @Test
  @DisplayName(
      "AGT-08: the time of a dead letter begins anew when it is revived, each time as long")
  void revivedLettersLast() {
    Duration time = Duration.ofMinutes(1);
    Message dead = died(to(ANNA, "mend").withLifetime(time));
    for (int round = 0; round < 2; round++) {
      passAlive(Duration.ofHours(1), PLANNER, ANNA);
      Message revived = run(new RequeueMessage(dead.id(), "an operator"));
      assertThat(revived.expiresAt()).contains(clock.instant().plus(time));
      assertThat(revived.delivery().revivedAt()).contains(clock.instant());
      for (int i = 0; i < 2; i++) {
        assertThat(receive(ANNA)).extracting(Message::id).containsExactly(dead.id());
        run(new ReturnMessage(ANNA, dead.id()));
      }
    }
    run(new RequeueMessage(dead.id(), "an operator"));
    passAlive(time.plusSeconds(2), PLANNER, ANNA);
    assertThat(read(dead).state()).isEqualTo(MessageState.EXPIRED);
  }

  @Test
  @DisplayName("AGT-08: a dead letter to an unregistered agent is not requeued")
  void nobodyIsLeftToReceiveIt() {
    Message dead = died(to(ANNA, "mend"));
    run(new UnregisterAgent(ANNA, true, "an operator"));
    refuses(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        () -> run(new RequeueMessage(dead.id(), "an operator")));
    assertThat(read(dead).state()).isEqualTo(MessageState.DEAD);
  }

  @Test
  @DisplayName("what is written about a message is checked: times, keys, and what it names")
  void wrongLetters() {
    refuses(KernelErrorCode.INVALID_VALUE, () -> new ReceiveMessages(ANNA, 0));
    refuses(KernelErrorCode.INVALID_VALUE, () -> to(ANNA, "m").withLifetime(Duration.ZERO));
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () -> to(ANNA, "m").withLifetime(Duration.ofSeconds(1L << 60)));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> to(ANNA, "m").withKey("k".repeat(513)));
    MessageContent lost = MessageContent.of("task", "{}").withTrajectory(unknown());
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(SendMessage.of(PLANNER, Recipient.ofAgent(ANNA), lost)));
  }

  @Test
  @DisplayName("AGT-09: messages not claimed are listed as stuck")
  void mailThatNobodyTakes() {
    Message left = run(toCoders("mend"));
    pass(Duration.ofMinutes(11));
    assertThat(agents.view(SPACE, view -> view.coordinationStatus(clock.instant())).stuck())
        .filteredOn(stuckItem -> stuckItem.kind().equals("message"))
        .singleElement()
        .satisfies(
            stuckItem -> {
              assertThat(stuckItem.id()).isEqualTo(left.id().toString());
              assertThat(stuckItem.reason()).isEqualTo("waits");
            });
  }

  @Test
  @DisplayName("STO-12: what ended is kept for a while, and then removed")
  void retention() {
    Message sent = run(to(ANNA, "mend"));
    receive(ANNA);
    run(new AcknowledgeMessage(ANNA, sent.id()));
    assertThat(agents.runMaintenance(SPACE).oldMessages()).isZero();
    pass(Duration.ofDays(6));
    assertThat(read(sent).state()).isEqualTo(MessageState.ACKNOWLEDGED);
    clock.advance(Duration.ofDays(2));
    assertThat(agents.runMaintenance(SPACE).oldMessages()).isEqualTo(1);
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(sent));
  }

  @Test
  @DisplayName(
      "REC-10, REC-11, J-40: clean-up releases ended locks and deletes what ended long ago")
  void cleanUpCounts() {
    Lease ended = hold(ANNA, FILE);
    hold(ANNA, OTHER_FILE);
    Message settled = run(to(ANNA, "mend"));
    Message open = run(to(ANNA, "look"));
    receive(ANNA);
    run(new AcknowledgeMessage(ANNA, settled.id()));
    assertThat(guardian.runCleanup(SPACE)).isEqualTo(new CleanupCounts(0, 0, 0, 0, 0, 0));
    clock.advance(RuntimeConfig.starter().coordination().messageRetention().plusSeconds(1));
    assertThat(guardian.runCleanup(SPACE)).isEqualTo(new CleanupCounts(0, 0, 0, 2, 1, 0));
    assertThat(found(view -> view.lease(ended.id()))).isEmpty();
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(settled));
    assertThat(read(open).state()).isEqualTo(MessageState.DELIVERED);
    assertThat(guardian.runCleanup(SPACE)).isEqualTo(new CleanupCounts(0, 0, 0, 0, 0, 0));
    assertThat(traces("lease_expired")).hasSize(2);
  }

  @Test
  @DisplayName("AGT-10, AGT-18: of many who take at once, each message goes to exactly one")
  void oneClaimerWins() throws Exception {
    IntStream.range(0, 4).forEach(i -> run(toCoders("m" + i)));
    ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
    try (ExecutorService pool = threads()) {
      List<Future<?>> tries =
          IntStream.range(0, 8)
              .<Future<?>>mapToObj(
                  i ->
                      pool.submit(
                          () ->
                              run(new ReceiveMessages(i % 2 == 0 ? ANNA : BEN, 1))
                                  .forEach(message -> taken.add(message.id().toString()))))
              .toList();
      for (Future<?> each : tries) {
        each.get();
      }
    }
    assertThat(taken).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void whoIsTooLateForAMessageGoesOnWaiting() throws Exception {
    for (int round = 0; round < 10; round++) {
      try (ExecutorService pool = threads()) {
        List<Future<List<Message>>> waiting =
            Stream.of(ANNA, BEN)
                .map(
                    agent ->
                        pool.submit(
                            () ->
                                agents.awaitMessages(
                                    SPACE, new ReceiveMessages(agent, 1), Duration.ofSeconds(30))))
                .toList();
        Message first = run(toCoders("first"));
        Message second = run(toCoders("second"));
        List<Message> taken = new ArrayList<>(waiting.getFirst().get());
        taken.addAll(waiting.getLast().get());
        assertThat(taken)
            .extracting(Message::id)
            .containsExactlyInAnyOrder(first.id(), second.id());
        taken.forEach(
            message ->
                run(
                    new AcknowledgeMessage(
                        message.delivery().claimer().orElseThrow(), message.id())));
      }
    }
  }

  @Test
  @DisplayName("AGT-09: what has expired is not waited for and not shown, tended or not")
  void expiredMessagesAreNoMail() throws Exception {
    Message old = run(to(ANNA, "old").withLifetime(Duration.ofSeconds(1)));
    clock.advance(Duration.ofSeconds(2));
    assertThat(waiting(ANNA)).isEmpty();
    try (ExecutorService pool = threads()) {
      Future<List<Message>> next =
          pool.submit(
              () ->
                  agents.awaitMessages(
                      SPACE, new ReceiveMessages(ANNA, 5), Duration.ofSeconds(30)));
      Message sent = run(to(ANNA, "new"));
      assertThat(next.get()).extracting(Message::id).containsExactly(sent.id());
    }
    jobs.runDue(SPACE);
    assertThat(read(old).state()).isEqualTo(MessageState.EXPIRED);
  }

  @Test
  void anInboxIsAStream() throws Exception {
    try (ExecutorService pool = threads()) {
      Future<List<Message>> next =
          pool.submit(
              () ->
                  agents.awaitMessages(
                      SPACE, new ReceiveMessages(ANNA, 5), Duration.ofSeconds(30)));
      run(to(BEN, "not for anna"));
      Message sent = run(to(ANNA, "at last"));
      assertThat(next.get()).extracting(Message::id).containsExactly(sent.id());
    }
    assertThat(agents.awaitMessages(SPACE, new ReceiveMessages(ANNA, 5), Duration.ofMillis(20)))
        .isEmpty();
  }
}
