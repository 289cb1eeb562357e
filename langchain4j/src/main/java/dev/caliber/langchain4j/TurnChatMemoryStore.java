package dev.caliber.langchain4j;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
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
 * Keeps chats as the turns of sessions. LangChain4j hands over the whole window each time; what is
 * new in it is appended, and what it left out stays in memory and out of the window. Turns and
 * window are one commit.
 */
final class TurnChatMemoryStore implements ChatMemoryStore {
  private static final String AGENT = "langchain4j";

  /** A session that others began is taken over with its last turns. */
  private static final int TAKEN_OVER_BOUND = 500;

  private final RecordStore store;
  private final Memory memory;
  private final MemoryConfig rules;
  private final SpaceId space;
  private final Function<Object, Optional<String>> subject;

  /**
   * @param subject whose a chat is, by its id
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

  /** A message and the turn that it is in. */
  private record Shown(Id turn, ChatMessage message) {}

  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return store.read(space, snapshot -> shown(snapshot, memoryId.toString())).stream()
        .map(Shown::message)
        .toList();
  }

  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    String session = memoryId.toString();
    store.write(
        space,
        transaction -> {
          Labels labels = labels(memoryId);
          List<Id> window = appended(transaction, session, messages, labels);
          transaction.put(ChatWindow.TABLE, ChatWindow.of(session, window));
          return window.size();
        });
  }

  @Override
  public void deleteMessages(Object memoryId) {
    String session = memoryId.toString();
    List<Trajectory> all = memory.view(space, view -> view.sessions(session));
    all.forEach(trajectory -> memory.forget(space, Forget.of(trajectory.id())));
    store.write(
        space, transaction -> transaction.delete(ChatWindow.TABLE, ChatWindow.keyOf(session)));
  }

  private Labels labels(Object memoryId) {
    return subject.apply(memoryId).map(Labels::ofSubject).orElse(Labels.none());
  }

  private List<Shown> shown(Snapshot snapshot, String session) {
    MemoryView view = MemoryView.of(snapshot, rules);
    return turns(snapshot, view, session).stream()
        .flatMap(turn -> messages(view, turn).stream())
        .toList();
  }

  /** A turn that was forgotten has left the window, too. */
  private static List<Turn> turns(Snapshot snapshot, MemoryView view, String session) {
    Optional<ChatWindow> window = snapshot.find(ChatWindow.TABLE, ChatWindow.keyOf(session));
    return window
        .map(
            known ->
                known.turns().stream()
                    .flatMap(id -> snapshot.find(Turn.TABLE, id).stream())
                    .toList())
        .orElseGet(() -> view.session(session).map(found -> last(view, found)).orElse(List.of()));
  }

  private static List<Turn> last(MemoryView view, Trajectory trajectory) {
    int count = trajectory.counters().turns();
    return view.turns(trajectory.id(), Math.max(0, count - TAKEN_OVER_BOUND), count).stream()
        .filter(Turn::isLive)
        .toList();
  }

  private static List<Shown> messages(MemoryView view, Turn turn) {
    return TurnMessages.of(view, turn).stream()
        .map(message -> new Shown(turn.id(), message))
        .toList();
  }

  /** The turn of each message, in their order; those of new messages are appended. */
  private List<Id> appended(
      Transaction transaction, String session, List<ChatMessage> messages, Labels labels) {
    List<Shown> known = new ArrayList<>(shown(transaction, session));
    List<Id> window = new ArrayList<>();
    for (ChatMessage message : messages) {
      Id turn =
          taken(known, message).orElseGet(() -> append(transaction, session, message, labels));
      if (!window.contains(turn)) {
        window.add(turn);
      }
    }
    return window;
  }

  /** The first that says the same and stands for no other message yet. */
  private static Optional<Id> taken(List<Shown> known, ChatMessage message) {
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).message().equals(message)) {
        return Optional.of(known.remove(i).turn());
      }
    }
    return Optional.empty();
  }

  private Id append(Transaction transaction, String session, ChatMessage message, Labels labels) {
    MemoryView view = MemoryView.of(transaction, rules);
    Trajectory trajectory = view.openSession(session).orElseGet(() -> start(transaction, session));
    Id scope =
        view.currentScope(trajectory.id())
            .map(Scope::id)
            .orElseGet(() -> memory.run(transaction, new OpenScope(trajectory.id())).id());
    NewTurn turn = TurnMessages.turn(view, trajectory.id(), message);
    return memory
        .run(transaction, AppendTurns.of(scope, turn.labelled(turn.labels().or(labels))))
        .getFirst()
        .id();
  }

  private Trajectory start(Transaction transaction, String session) {
    return memory.run(
        transaction,
        StartTrajectory.of(session, EntityRef.agent(AGENT)).labelled(Labels.ofExternalId(session)));
  }
}
