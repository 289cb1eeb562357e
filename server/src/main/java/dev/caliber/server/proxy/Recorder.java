package dev.caliber.server.proxy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.proxy.Recording.Recorded;
import dev.caliber.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Records of a chat what memory has not heard yet. A client sends its history with each request,
 * whole or cut; what it said last is new, unless it only asks again, and anything before it is
 * recorded if the trajectory does not have the same words by the same speaker.
 */
final class Recorder {
  private static final String EXTERNAL = "chat:";
  private static final String INTERRUPTED = "interrupted";
  private static final String AGAIN = "#";

  private final Rooms rooms;

  Recorder(Rooms rooms) {
    this.rooms = rooms;
  }

  Recorded record(Transaction transaction, Caller caller, Recording input) {
    MemoryView view = MemoryView.of(transaction, rooms.memoryConfig());
    Trajectory trajectory = trajectory(transaction, view, input);
    List<ChatMessage> said = said(input);
    List<ChatMessage> fresh =
        input.answer().isPresent() ? said : fresh(view, trajectory.id(), said);
    new Limit("memory.limits.turns", rooms.memoryConfig().limits().turns()).check(fresh.size());
    List<Id> turns = new ArrayList<>();
    for (ChatMessage message : fresh) {
      NewTurn turn = turn(view, trajectory.id(), message, input);
      turns.add(append(transaction, view, trajectory.id(), turn));
    }
    List<Note> notes = rooms.memory().run(transaction, new LearnFromTurns(turns));
    return new Recorded(trajectory.id(), turns, notes.stream().map(Note::id).toList());
  }

  private List<ChatMessage> said(Recording input) {
    long most = rooms.memoryConfig().limits().turn().bytes();
    return IntStream.range(0, input.messages().size())
        .boxed()
        .flatMap(i -> ChatMessage.of(input.messages().get(i), i).stream())
        .map(
            message ->
                input.answer().isPresent() ? message.within(most) : message.repeatedWithin(most))
        .toList();
  }

  private Trajectory trajectory(Transaction transaction, MemoryView view, Recording input) {
    if (input.trajectory().isPresent()) {
      return view.trajectory(input.trajectory().get());
    }
    String session =
        input
            .session()
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/session", "Wanted a trajectory or a session, found neither"));
    return view.openSession(session).orElseGet(() -> start(transaction, session, input.subject()));
  }

  private Trajectory start(Transaction transaction, String session, Optional<String> subject) {
    Labels labels = Labels.ofExternalId(session);
    return rooms
        .memory()
        .run(
            transaction,
            StartTrajectory.of(session, EntityRef.of(EntityType.SUBJECT, subject.orElse(session)))
                .labelled(subject.map(labels::withSubject).orElse(labels)));
  }

  private static List<ChatMessage> fresh(MemoryView view, Id trajectory, List<ChatMessage> said) {
    int start = lastSaid(said);
    List<ChatMessage> fresh = new ArrayList<>();
    said.subList(0, start).stream()
        .filter(message -> !isKnown(view, trajectory, message))
        .forEach(fresh::add);
    List<ChatMessage> last = said.subList(start, said.size());
    if (!isAskedAgain(view, trajectory, last)) {
      fresh.addAll(last);
    }
    return fresh;
  }

  /** Where what was said last begins: one message, or the results of several calls. */
  private static int lastSaid(List<ChatMessage> said) {
    int start = said.size();
    while (start > 0 && said.get(start - 1).role() == Role.TOOL) {
      start--;
    }
    boolean user = start == said.size() && start > 0 && said.getLast().role() == Role.USER;
    return user ? start - 1 : start;
  }

  private static boolean isKnown(MemoryView view, Id trajectory, ChatMessage message) {
    return view.turn(trajectory, EXTERNAL + message.hash()).isPresent();
  }

  /** Whether it was the last word already: nobody has answered, or not to the end. */
  private static boolean isAskedAgain(MemoryView view, Id trajectory, List<ChatMessage> last) {
    int count = view.trajectory(trajectory).counters().turns();
    List<String> before =
        view.turns(trajectory, Math.max(0, count - last.size() - 1), count).stream()
            .filter(turn -> turn.isLive() && !turn.labels().metadata().containsKey(INTERRUPTED))
            .map(ChatMessage::hash)
            .toList();
    List<String> now = last.stream().map(ChatMessage::hash).toList();
    return before.size() >= now.size()
        && before.subList(before.size() - now.size(), before.size()).equals(now);
  }

  private static NewTurn turn(
      MemoryView view, Id trajectory, ChatMessage message, Recording input) {
    List<Part> parts = new ArrayList<>();
    message.parts().forEach(part -> parts.add(paired(view, trajectory, part, parts)));
    return new NewTurn(
        message.role(),
        parts,
        input.answer().flatMap(Recording.Answer::tokens),
        input.answer().map(Recording.Answer::model),
        labels(view, trajectory, message, input));
  }

  /** The same words said again are another turn, which the first one's name does not fit. */
  private static Labels labels(
      MemoryView view, Id trajectory, ChatMessage message, Recording input) {
    Labels labels = input.subject().map(Labels::ofSubject).orElse(Labels.none());
    Optional<String> interrupted = input.answer().flatMap(Recording.Answer::interrupted);
    if (!isKnown(view, trajectory, message)) {
      labels = labels.withExternalId(EXTERNAL + message.hash());
    }
    return interrupted.isPresent() ? labels.with(INTERRUPTED, interrupted.get()) : labels;
  }

  private static Part paired(MemoryView view, Id trajectory, Part part, List<Part> before) {
    return switch (part) {
      case Part.ToolCall(var call, var tool, var arguments) ->
          new Part.ToolCall(free(view, trajectory, call, before), tool, arguments);
      case Part.ToolResult result -> result(view, trajectory, result);
      case Part.Text _, Part.Data _ -> part;
    };
  }

  /** Models use an id again; memory does not. */
  private static String free(MemoryView view, Id trajectory, String id, List<Part> before) {
    String free = id;
    for (int again = 2; isUsed(view, trajectory, free, before); again++) {
      free = id + AGAIN + again;
    }
    return free;
  }

  private static boolean isUsed(MemoryView view, Id trajectory, String id, List<Part> before) {
    return view.toolExchange(trajectory, id).isPresent()
        || before.stream()
            .anyMatch(part -> part instanceof Part.ToolCall(var call, _, _) && call.equals(id));
  }

  /** A result answers the open call of its id; without one it is text, and nothing is lost. */
  private static Part result(MemoryView view, Id trajectory, Part.ToolResult result) {
    return view.openCalls(trajectory).stream()
        .map(ToolExchange::call)
        .filter(call -> call.equals(result.call()) || call.startsWith(result.call() + AGAIN))
        .findFirst()
        .<Part>map(call -> new Part.ToolResult(call, result.content(), result.failed()))
        .orElseGet(() -> Part.text(result.content().isBlank() ? result.call() : result.content()));
  }

  private Id append(Transaction transaction, MemoryView view, Id trajectory, NewTurn turn) {
    Id scope =
        view.currentScope(trajectory)
            .map(Scope::id)
            .orElseGet(() -> rooms.memory().run(transaction, new OpenScope(trajectory)).id());
    Turn said = rooms.memory().run(transaction, AppendTurns.of(scope, turn)).getFirst();
    return said.id();
  }
}
