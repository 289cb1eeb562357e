package dev.caliber.server.proxy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.operation.ServerModules;
import dev.caliber.server.proxy.RecordMessagesRequest.RecordMessagesResponse;
import dev.caliber.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A recorder of the chat messages that memory does not have yet. A client sends its history with
 * each request, whole or shortened. Its last messages are new, unless the request is a repetition;
 * an earlier message is recorded if the trajectory does not have the same content by the same role.
 */
final class ChatRecorder {
  private static final String EXTERNAL = "chat:";
  private static final String INTERRUPTED = "interrupted";
  private static final String AGAIN = "#";

  private final ServerModules serverModules;

  ChatRecorder(ServerModules serverModules) {
    this.serverModules = serverModules;
  }

  RecordMessagesResponse recordMessages(
      Transaction transaction, Caller caller, RecordMessagesRequest input) {
    MemoryView view = MemoryView.of(transaction, serverModules.memoryConfig());
    Trajectory trajectory = findOrStartTrajectory(transaction, view, input);
    List<ChatMessage> messages = parseMessages(input);
    List<ChatMessage> fresh =
        input.answer().isPresent() ? messages : unrecordedMessages(view, trajectory.id(), messages);
    new Limit("memory.limits.batch", serverModules.memoryConfig().limits().batch())
        .requireWithin(fresh.size());
    List<Id> turns = new ArrayList<>();
    for (ChatMessage message : fresh) {
      NewTurn turn = toTurn(view, trajectory.id(), message, input);
      turns.add(appendTurn(transaction, view, trajectory.id(), turn));
    }
    List<Note> notes = serverModules.memory().run(transaction, new LearnFromTurns(turns));
    return new RecordMessagesResponse(
        trajectory.id(), turns, notes.stream().map(Note::id).toList());
  }

  private List<ChatMessage> parseMessages(RecordMessagesRequest input) {
    long most = serverModules.memoryConfig().limits().turn().bytes();
    return IntStream.range(0, input.messages().size())
        .boxed()
        .flatMap(i -> ChatMessage.of(input.messages().get(i), i).stream())
        .map(
            message ->
                input.answer().isPresent()
                    ? message.shrinkTo(most)
                    : message.shrinkRepeatedTo(most))
        .toList();
  }

  private Trajectory findOrStartTrajectory(
      Transaction transaction, MemoryView view, RecordMessagesRequest input) {
    if (input.trajectory().isPresent()) {
      return view.trajectory(input.trajectory().get());
    }
    String session =
        input
            .session()
            .orElseThrow(
                () -> ServerException.invalidInput("/session", "Send 'trajectory' or 'session'"));
    return view.openTrajectoryByExternalId(session)
        .orElseGet(() -> startTrajectory(transaction, session, input.subject()));
  }

  private Trajectory startTrajectory(
      Transaction transaction, String session, Optional<String> subject) {
    Labels labels = Labels.ofExternalId(session);
    return serverModules
        .memory()
        .run(
            transaction,
            StartTrajectory.of(session, EntityRef.of(EntityType.SUBJECT, subject.orElse(session)))
                .withLabels(subject.map(labels::withSubject).orElse(labels)));
  }

  private static List<ChatMessage> unrecordedMessages(
      MemoryView view, Id trajectory, List<ChatMessage> messages) {
    int start = lastMessagesStart(messages);
    List<ChatMessage> fresh = new ArrayList<>();
    messages.subList(0, start).stream()
        .filter(message -> !isRecorded(view, trajectory, message))
        .forEach(fresh::add);
    List<ChatMessage> last = messages.subList(start, messages.size());
    if (!isRepeatedRequest(view, trajectory, last)) {
      fresh.addAll(last);
    }
    return fresh;
  }

  /** Returns the index of the last messages: one message, or the results of several calls. */
  private static int lastMessagesStart(List<ChatMessage> messages) {
    int start = messages.size();
    while (start > 0 && messages.get(start - 1).role() == TurnRole.TOOL) {
      start--;
    }
    boolean user =
        start == messages.size() && start > 0 && messages.getLast().role() == TurnRole.USER;
    return user ? start - 1 : start;
  }

  private static boolean isRecorded(MemoryView view, Id trajectory, ChatMessage message) {
    return view.turn(trajectory, EXTERNAL + message.contentHash()).isPresent();
  }

  /** Returns whether the last messages are the newest turns, without a complete answer. */
  private static boolean isRepeatedRequest(MemoryView view, Id trajectory, List<ChatMessage> last) {
    int count = view.trajectory(trajectory).counters().turns();
    List<String> before =
        view.turns(trajectory, Math.max(0, count - last.size() - 1), count).stream()
            .filter(turn -> turn.isLive() && !turn.labels().metadata().containsKey(INTERRUPTED))
            .map(ChatMessage::contentHash)
            .toList();
    List<String> now = last.stream().map(ChatMessage::contentHash).toList();
    return before.size() >= now.size()
        && before.subList(before.size() - now.size(), before.size()).equals(now);
  }

  private static NewTurn toTurn(
      MemoryView view, Id trajectory, ChatMessage message, RecordMessagesRequest input) {
    List<TurnPart> parts = new ArrayList<>();
    message.parts().forEach(turnPart -> parts.add(pairToolPart(view, trajectory, turnPart, parts)));
    return new NewTurn(
        message.role(),
        parts,
        input.answer().flatMap(RecordMessagesRequest.RecordedAnswer::tokens),
        input.answer().map(RecordMessagesRequest.RecordedAnswer::model),
        turnLabels(view, trajectory, message, input));
  }

  /** Returns the labels of a turn; repeated content is a new turn and needs another name. */
  private static Labels turnLabels(
      MemoryView view, Id trajectory, ChatMessage message, RecordMessagesRequest input) {
    Labels labels = input.subject().map(Labels::ofSubject).orElse(Labels.none());
    Optional<String> interrupted =
        input.answer().flatMap(RecordMessagesRequest.RecordedAnswer::interrupted);
    if (!isRecorded(view, trajectory, message)) {
      labels = labels.withExternalId(EXTERNAL + message.contentHash());
    }
    return interrupted.isPresent() ? labels.withMetadata(INTERRUPTED, interrupted.get()) : labels;
  }

  private static TurnPart pairToolPart(
      MemoryView view, Id trajectory, TurnPart turnPart, List<TurnPart> before) {
    return switch (turnPart) {
      case TurnPart.ToolCallPart(var call, var tool, var arguments) ->
          new TurnPart.ToolCallPart(unusedCallId(view, trajectory, call, before), tool, arguments);
      case TurnPart.ToolResultPart result -> pairToolResult(view, trajectory, result);
      case TurnPart.TextPart _, TurnPart.DataPart _ -> turnPart;
    };
  }

  /** Returns the id, or an unused variant: models reuse ids, memory does not. */
  private static String unusedCallId(
      MemoryView view, Id trajectory, String id, List<TurnPart> before) {
    String free = id;
    for (int again = 2; isCallIdUsed(view, trajectory, free, before); again++) {
      free = id + AGAIN + again;
    }
    return free;
  }

  private static boolean isCallIdUsed(
      MemoryView view, Id trajectory, String id, List<TurnPart> before) {
    return view.toolExchange(trajectory, id).isPresent()
        || before.stream()
            .anyMatch(
                turnPart ->
                    turnPart instanceof TurnPart.ToolCallPart(var call, _, _) && call.equals(id));
  }

  /**
   * Converts a tool result to the answer of the open call with its id, or to text if there is none.
   */
  private static TurnPart pairToolResult(
      MemoryView view, Id trajectory, TurnPart.ToolResultPart result) {
    return view.openCalls(trajectory).stream()
        .map(ToolExchange::call)
        .filter(call -> call.equals(result.call()) || call.startsWith(result.call() + AGAIN))
        .findFirst()
        .<TurnPart>map(call -> new TurnPart.ToolResultPart(call, result.content(), result.failed()))
        .orElseGet(
            () -> TurnPart.text(result.content().isBlank() ? result.call() : result.content()));
  }

  private Id appendTurn(Transaction transaction, MemoryView view, Id trajectory, NewTurn turn) {
    Id scope =
        view.currentScope(trajectory)
            .map(Scope::id)
            .orElseGet(
                () -> serverModules.memory().run(transaction, new OpenScope(trajectory)).id());
    Turn messages = serverModules.memory().run(transaction, AppendTurns.of(scope, turn)).getFirst();
    return messages.id();
  }
}
