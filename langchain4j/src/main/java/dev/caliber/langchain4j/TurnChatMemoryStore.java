package dev.caliber.langchain4j;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A store that keeps chats as the turns of sessions. LangChain4j passes the whole window each time:
 * new messages are appended, and messages that are missing stay in memory and leave the window.
 * Turns and window are one commit.
 */
final class TurnChatMemoryStore implements ChatMemoryStore {
  private static final String AGENT = "langchain4j";

  /** The most recent turns that a chat shows of a session that another client began. */
  private static final int TAKEN_OVER_BOUND = 500;

  private final RecordStore store;
  private final Memory memory;
  private final MemoryConfig rules;
  private final SpaceId space;
  private final Function<Object, Optional<String>> subject;

  /**
   * @param subject returns the subject of a chat id
   */
  TurnChatMemoryStore(
      RecordStore store,
      Memory memory,
      MemoryConfig rules,
      SpaceId space,
      Function<Object, Optional<String>> subject) {
    this.subject = subject;
    this.store = store;
    this.memory = memory;
    this.rules = rules;
    this.space = space;
  }

  /** A message and the id of its turn. */
  private record ChatTurnMessage(Id turn, ChatMessage message) {}

  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return store.read(space, snapshot -> windowMessages(snapshot, memoryId.toString())).stream()
        .map(ChatTurnMessage::message)
        .toList();
  }

  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    String session = memoryId.toString();
    store.write(
        space,
        transaction -> {
          Labels labels = labels(memoryId);
          List<Id> window = findOrAppendTurns(transaction, session, messages, labels);
          transaction.put(RetainedChatTurns.TABLE, RetainedChatTurns.of(session, window));
          return window.size();
        });
  }

  @Override
  public void deleteMessages(Object memoryId) {
    String session = memoryId.toString();
    List<Trajectory> all = memory.view(space, view -> view.trajectoriesByExternalId(session));
    all.forEach(trajectory -> memory.forget(space, ForgetRecords.of(trajectory.id())));
    store.write(
        space,
        transaction ->
            transaction.delete(RetainedChatTurns.TABLE, RetainedChatTurns.keyOf(session)));
  }

  private Labels labels(Object memoryId) {
    return subject.apply(memoryId).map(Labels::ofSubject).orElse(Labels.none());
  }

  private List<ChatTurnMessage> windowMessages(Snapshot snapshot, String session) {
    MemoryView view = MemoryView.of(snapshot, rules);
    return windowTurns(snapshot, view, session).stream()
        .flatMap(turn -> turnMessages(view, turn).stream())
        .toList();
  }

  /** Returns the turns of the window without those that were forgotten. */
  private static List<Turn> windowTurns(Snapshot snapshot, MemoryView view, String session) {
    Optional<RetainedChatTurns> window =
        snapshot.find(RetainedChatTurns.TABLE, RetainedChatTurns.keyOf(session));
    return window
        .map(
            known ->
                known.turns().stream()
                    .flatMap(id -> snapshot.find(Turn.TABLE, id).stream())
                    .toList())
        .orElseGet(
            () ->
                view.newestTrajectoryByExternalId(session)
                    .map(found -> newestTurns(view, found))
                    .orElse(List.of()));
  }

  private static List<Turn> newestTurns(MemoryView view, Trajectory trajectory) {
    int count = trajectory.counters().turns();
    return view.turns(trajectory.id(), Math.max(0, count - TAKEN_OVER_BOUND), count).stream()
        .filter(Turn::isLive)
        .toList();
  }

  private static List<ChatTurnMessage> turnMessages(MemoryView view, Turn turn) {
    return ChatMessageConverter.toMessages(view, turn).stream()
        .map(message -> new ChatTurnMessage(turn.id(), message))
        .toList();
  }

  /** Returns the turn of each message, in order; new messages are appended. */
  private List<Id> findOrAppendTurns(
      Transaction transaction, String session, List<ChatMessage> messages, Labels labels) {
    List<ChatTurnMessage> known = new ArrayList<>(windowMessages(transaction, session));
    List<Id> window = new ArrayList<>();
    for (ChatMessage message : messages) {
      Id turn =
          takeMatchingTurn(known, message)
              .orElseGet(() -> appendTurn(transaction, session, message, labels));
      if (!window.contains(turn)) {
        window.add(turn);
      }
    }
    return window;
  }

  /**
   * Removes and returns the first known turn with the same content that no other message has taken.
   */
  private static Optional<Id> takeMatchingTurn(List<ChatTurnMessage> known, ChatMessage message) {
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).message().equals(message)) {
        return Optional.of(known.remove(i).turn());
      }
    }
    return Optional.empty();
  }

  private Id appendTurn(
      Transaction transaction, String session, ChatMessage message, Labels labels) {
    MemoryView view = MemoryView.of(transaction, rules);
    Trajectory trajectory =
        view.openTrajectoryByExternalId(session)
            .orElseGet(() -> startTrajectory(transaction, session));
    Id scope =
        view.currentScope(trajectory.id())
            .map(Scope::id)
            .orElseGet(() -> memory.run(transaction, new OpenScope(trajectory.id())).id());
    NewTurn turn = ChatMessageConverter.toTurn(view, trajectory.id(), message);
    return memory
        .run(
            transaction, AppendTurns.of(scope, turn.withLabels(turn.labels().withDefaults(labels))))
        .getFirst()
        .id();
  }

  private Trajectory startTrajectory(Transaction transaction, String session) {
    return memory.run(
        transaction,
        StartTrajectory.of(session, EntityRef.agent(AGENT))
            .withLabels(Labels.ofExternalId(session)));
  }
}
