package dev.caliber.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.app.Told.Turn;
import dev.caliber.app.Told.Written;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** Compares the answers that clients got with the store, and both with what is promised. */
@NullMarked
final class Verdict {
  private static final int PAGE = 500;
  private static final Set<String> ENDS =
      Set.of("message_acknowledged", "message_expired", "message_dead_lettered");

  private final RecordStore store;
  private final Told told;

  Verdict(RecordStore store, Told told) {
    this.store = store;
    this.told = told;
  }

  /** Returns whether everything has ended that ends by itself or by an agent's work. */
  boolean isSettled() {
    return all(Message.TABLE).stream().allMatch(row -> isEnded(row.record()))
        && all(Delegation.TABLE).stream().allMatch(row -> row.record().status().isTerminal())
        && all(Lease.TABLE).isEmpty();
  }

  private static boolean isEnded(Message message) {
    return message.state() != MessageState.PENDING && message.state() != MessageState.DELIVERED;
  }

  void check() {
    turnsNeverOverlap();
    mailEndedOnce();
    workHasOneOwner();
    tasksAreHandedOverOnce();
  }

  private <T> List<Row<T>> all(Table<T> table) {
    return store.read(SpaceId.DEFAULT, snapshot -> all(snapshot, table));
  }

  private static <T> List<Row<T>> all(Snapshot snapshot, Table<T> table) {
    List<Row<T>> rows = new ArrayList<>();
    Query<T> query = Query.over(table);
    Optional<Page<T>> page = Optional.of(snapshot.scan(query, PAGE));
    while (page.isPresent()) {
      rows.addAll(page.get().rows());
      page = page.get().next().map(next -> snapshot.scan(query.resume(next), PAGE));
    }
    return rows;
  }

  List<TraceEvent> traces() {
    return all(TraceEvent.TABLE).stream().map(Row::record).toList();
  }

  /** A change of a resource, in the order of commits and within each commit. */
  private sealed interface Step {
    record Traced(TraceEvent event) implements Step {}

    record Noted(Note note, Written written) implements Step {}
  }

  private void turnsNeverOverlap() {
    Map<Long, List<Step>> steps = new TreeMap<>();
    all(TraceEvent.TABLE).stream()
        .filter(row -> row.record().type().startsWith("lease_"))
        .sorted(Comparator.comparing(row -> row.record().id()))
        .forEach(row -> step(steps, row.revision(), new Step.Traced(row.record())));
    Map<String, Row<Note>> notes =
        all(Note.TABLE).stream()
            .filter(row -> row.record().entityType().equals("deed"))
            .collect(Collectors.toMap(row -> row.record().id().toString(), Function.identity()));
    assertThat(notes.keySet()).as("notes written under a lease").isEqualTo(told.written.keySet());
    notes.forEach(
        (id, row) ->
            step(
                steps,
                row.revision(),
                new Step.Noted(row.record(), requireNonNull(told.written.get(id)))));
    Map<String, Turn> granted =
        told.turns.values().stream()
            .collect(
                Collectors.toMap(
                    turn -> name(turn.token(), turn.resource(), turn.holder()),
                    Function.identity()));
    Map<String, Map<String, Turn>> holders = new HashMap<>();
    steps.forEach(
        (sequence, some) -> some.forEach(step -> follow(holders, granted, sequence, step)));
    assertThat(granted).as("leases that no client was granted").isEmpty();
  }

  private static void step(Map<Long, List<Step>> steps, long sequence, Step step) {
    steps.computeIfAbsent(sequence, _ -> new ArrayList<>()).add(step);
  }

  private static String name(long token, String resource, String holder) {
    return "%d %s %s".formatted(token, resource, holder);
  }

  private static void follow(
      Map<String, Map<String, Turn>> holders, Map<String, Turn> granted, long sequence, Step step) {
    switch (step) {
      case Step.Noted(var note, var written) ->
          inTurn(holders.getOrDefault(written.resource(), Map.of()), note, written);
      case Step.Traced(var event) -> {
        String resource = event.detail().orElseThrow();
        String agent = event.record().id();
        Map<String, Turn> there = holders.computeIfAbsent(resource, _ -> new HashMap<>());
        if (event.type().equals("lease_acquired")) {
          Turn turn = granted.remove(name(sequence, resource, agent));
          begin(there, requireNonNull(turn, () -> "a lease that no client was granted: " + event));
        } else if (Set.of("lease_released", "lease_expired").contains(event.type())) {
          requireNonNull(there.remove(agent), () -> "the end of an unknown lease: " + event);
        }
      }
    }
  }

  /** Checks that the token belongs to a lease that had begun and had neither ended nor expired. */
  private static void inTurn(Map<String, Turn> there, Note note, Written written) {
    Turn turn = requireNonNull(there.get(written.holder()), () -> "a stale write: " + written);
    assertThat(turn.token()).as("a stale write: %s", written).isEqualTo(written.token());
    assertThat(note.createdAt()).as("a late write: %s", written).isBefore(turn.until());
  }

  /** Checks that no agent holds the resource, or that all share it; a sole sharer may upgrade. */
  private static void begin(Map<String, Turn> there, Turn turn) {
    there.remove(turn.holder());
    assertThat(there.values())
        .as("who is there beside %s", turn)
        .allMatch(other -> !turn.alone() && !other.alone())
        .allMatch(other -> other.token() < turn.token());
    there.put(turn.holder(), turn);
  }

  /** Checks that every sent message is stored and ended once, and acknowledged ones are done. */
  private void mailEndedOnce() {
    List<Message> mail = all(Message.TABLE).stream().map(Row::record).toList();
    assertThat(mail)
        .extracting(message -> message.id().toString())
        .containsExactlyInAnyOrderElementsOf(told.sent);
    Map<String, MessageState> ends =
        mail.stream().collect(Collectors.toMap(it -> it.id().toString(), Message::state));
    assertThat(
            traces().stream()
                .filter(trace -> ENDS.contains(trace.type()))
                .map(trace -> trace.detail().orElseThrow()))
        .as("ends of messages")
        .containsExactlyInAnyOrderElementsOf(told.sent);
    told.acknowledged.forEach(
        (message, agent) -> {
          assertThat(ends.get(message)).as(message).isEqualTo(MessageState.ACKNOWLEDGED);
          assertThat(traced("message_acknowledged", message)).containsExactly(agent);
        });
    assertThat(told.acknowledged.keySet())
        .as("messages acknowledged and done")
        .isEqualTo(with(ends, MessageState.ACKNOWLEDGED));
    for (Written written : told.written.values()) {
      assertThat(written.message().isEmpty() || ends.containsKey(written.message()))
          .as("a commit has all of its steps: %s", written)
          .isTrue();
    }
  }

  private static Set<String> with(Map<String, MessageState> ends, MessageState state) {
    return ends.entrySet().stream()
        .filter(end -> end.getValue() == state)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private List<String> traced(String type, String about) {
    return traces().stream()
        .filter(trace -> trace.type().equals(type) && trace.detail().orElse("").equals(about))
        .map(trace -> trace.record().id())
        .toList();
  }

  /** Checks that accepted work has the one receiver whose acceptance was confirmed. */
  private void workHasOneOwner() {
    List<Delegation> work = all(Delegation.TABLE).stream().map(Row::record).toList();
    List<Handoff> handoffs = all(Handoff.TABLE).stream().map(Row::record).toList();
    assertThat(work)
        .extracting(one -> one.id().toString())
        .containsExactlyInAnyOrderElementsOf(told.delegated);
    assertThat(handoffs)
        .extracting(one -> one.id().toString())
        .containsExactlyInAnyOrderElementsOf(told.handedOver);
    Map<String, String> receivers = new HashMap<>();
    work.forEach(
        one -> one.delegatee().ifPresent(who -> receivers.put(one.id().toString(), who.value())));
    handoffs.forEach(
        one -> one.receiver().ifPresent(who -> receivers.put(one.id().toString(), who.value())));
    assertThat(receivers).isEqualTo(told.accepted);
    assertThat(
            traces().stream()
                .filter(
                    trace ->
                        Set.of("delegation_accepted", "handoff_accepted").contains(trace.type()))
                .map(trace -> trace.detail().orElseThrow()))
        .as("what was accepted")
        .containsExactlyInAnyOrderElementsOf(told.accepted.keySet());
    assertThat(
            traces().stream()
                .filter(
                    trace ->
                        Set.of("delegation_completed", "delegation_failed", "delegation_rejected")
                            .contains(trace.type()))
                .map(trace -> trace.detail().orElseThrow()))
        .as("ends of delegated work")
        .containsExactlyInAnyOrderElementsOf(told.delegated);
  }

  /** Checks that a task has one open handoff and one agent. */
  private void tasksAreHandedOverOnce() {
    List<Handoff> handoffs = all(Handoff.TABLE).stream().map(Row::record).toList();
    Stream<Handoff> open =
        handoffs.stream()
            .filter(
                one ->
                    Set.of(HandoffStatus.INITIATED, HandoffStatus.ACCEPTED).contains(one.status()));
    assertThat(open.map(Handoff::trajectory)).as("open handoffs").doesNotHaveDuplicates();
    Set<String> passed =
        handoffs.stream().map(one -> one.trajectory().toString()).collect(Collectors.toSet());
    assertThat(
            all(Agent.TABLE).stream()
                .flatMap(row -> row.record().trajectory().stream())
                .map(Object::toString)
                .filter(passed::contains))
        .as("tasks that agents are at")
        .doesNotHaveDuplicates();
  }
}
