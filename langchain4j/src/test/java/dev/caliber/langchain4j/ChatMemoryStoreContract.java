package dev.caliber.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import dev.caliber.testkit.StoreFixture;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LangChain4j's contract of a chat memory store, and Caliber's additions. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class ChatMemoryStoreContract extends StoreFixture {
  private static final String CHAT = "chat-1";

  private RecordStore store;
  private CaliberMemory memory;
  private ChatMemoryStore chats;

  @BeforeEach
  final void openMemory() {
    store = open(CaliberMemory.tables().toArray(Table<?>[]::new));
    MemoryConfig rules = MemoryConfig.starter();
    TokenCounter counter = TokenCounter.estimate(new TokenEstimator(4));
    Memory plain =
        Memory.of(
            store, rules, MemoryDependencies.minimal(clock, RuntimeConfig.starter(), counter));
    memory = CaliberMemory.of(store, plain, rules, SPACE);
    chats = memory.chatMemoryStore();
  }

  private static ToolExecutionRequest call(String id, String arguments) {
    return ToolExecutionRequest.builder().id(id).name("weather").arguments(arguments).build();
  }

  private int turns() {
    return memory
        .memory()
        .view(
            SPACE,
            view -> view.newestTrajectoryByExternalId(CHAT).orElseThrow().counters().turns());
  }

  private void keeps(ChatMessage... messages) {
    List<ChatMessage> said = new ArrayList<>();
    for (ChatMessage message : messages) {
      said.add(message);
      chats.updateMessages(CHAT, said);
      assertThat(chats.getMessages(CHAT)).isEqualTo(said);
    }
    assertThat(turns()).isEqualTo(messages.length);
  }

  @Test
  void unknownChatIsEmpty() {
    assertThat(chats.getMessages(CHAT)).isEmpty();
    chats.deleteMessages(CHAT);
  }

  @Test
  void aChatBelongsToTheSubjectOfItsIdAlsoAfterItHasEnded() {
    chats = memory.chatMemoryStore(id -> Optional.of("user of " + id));
    chats.updateMessages(CHAT, List.of(UserMessage.from("My PIN is 4711.")));
    Trajectory first =
        memory.memory().view(SPACE, view -> view.newestTrajectoryByExternalId(CHAT).orElseThrow());
    assertThat(first.labels().subject()).contains("user of " + CHAT);
    memory.memory().run(SPACE, EndTrajectory.complete(first.id(), "Done"));
    memory.chatMemoryStore().updateMessages(CHAT, List.of(UserMessage.from("And 4712.")));
    Trajectory next =
        memory.memory().view(SPACE, view -> view.newestTrajectoryByExternalId(CHAT).orElseThrow());
    assertThat(next.id()).isNotEqualTo(first.id());
    assertThat(next.labels().subject()).contains("user of " + CHAT);
  }

  @Test
  void everyKindOfMessageComesBackAsItWas() {
    keeps(
        SystemMessage.from("Be brief."),
        UserMessage.from("What is the weather?"),
        UserMessage.from("ada", "Named, and the same."),
        UserMessage.from(TextContent.from("Look"), ImageContent.from("aW1hZ2U=", "image/png")),
        AiMessage.from("I ask.", List.of(call("a", "{}"), call("b", "{\"city\":1}"))),
        ToolExecutionResultMessage.from("a", "weather", "Rain"),
        ToolExecutionResultMessage.builder()
            .id("b")
            .toolName("weather")
            .text("No such city")
            .isError(true)
            .build(),
        AiMessage.from("Rain."));
  }

  @Test
  void callsWithoutAnIdOrWithOneThatWasUsedStayPaired() {
    keeps(
        AiMessage.from(call("call_0", "{}")),
        ToolExecutionResultMessage.from("call_0", "weather", "Rain"),
        AiMessage.from(call("call_0", "{\"city\":\"Oslo\"}")),
        ToolExecutionResultMessage.from("call_0", "weather", "Snow"),
        AiMessage.from(ToolExecutionRequest.builder().name("weather").arguments("{}").build()),
        ToolExecutionResultMessage.from(null, "weather", "Sun"));
    List<ToolExchange> open =
        memory
            .memory()
            .view(
                SPACE,
                view -> view.openCalls(view.newestTrajectoryByExternalId(CHAT).orElseThrow().id()));
    assertThat(open).isEmpty();
  }

  @Test
  void aResultWithoutACallIsKeptAllTheSame() {
    keeps(
        ToolExecutionResultMessage.from("lost", "weather", "Rain"),
        ToolExecutionResultMessage.from("lost", "weather", ""));
  }

  @Test
  void whatIsLeftOutLeavesTheWindowAndWhatIsThereIsNotSaidAgain() {
    UserMessage one = UserMessage.from("one");
    UserMessage two = UserMessage.from("two");
    chats.updateMessages(CHAT, List.of(one, two, one));
    chats.updateMessages(CHAT, List.of(two, one));
    assertThat(chats.getMessages(CHAT)).containsExactly(two, one);
    chats.updateMessages(CHAT, List.of(SystemMessage.from("Be brief."), two, one));
    assertThat(chats.getMessages(CHAT)).containsExactly(SystemMessage.from("Be brief."), two, one);
    chats.updateMessages(CHAT, List.of());
    assertThat(chats.getMessages(CHAT)).isEmpty();
    assertThat(turns()).isEqualTo(4);
  }

  @Test
  void aDeletedChatIsForgotten() {
    chats.updateMessages(CHAT, List.of(UserMessage.from("My secret")));
    chats.updateMessages("chat-2", List.of(UserMessage.from("Other")));
    chats.deleteMessages(CHAT);
    assertThat(chats.getMessages(CHAT)).isEmpty();
    Optional<Trajectory> session =
        memory.memory().view(SPACE, view -> view.newestTrajectoryByExternalId(CHAT));
    assertThat(session).isEmpty();
    assertThat(chats.getMessages("chat-2")).hasSize(1);
    chats.updateMessages(CHAT, List.of(UserMessage.from("Again")));
    assertThat(chats.getMessages(CHAT)).containsExactly(UserMessage.from("Again"));
  }

  @Test
  void aChatThatEndedAndBeganAgainIsForgottenWhole() {
    chats.updateMessages(CHAT, List.of(UserMessage.from("My secret")));
    Optional<Trajectory> first =
        memory.memory().view(SPACE, view -> view.newestTrajectoryByExternalId(CHAT));
    memory.memory().run(SPACE, EndTrajectory.complete(first.orElseThrow().id(), ""));
    chats.updateMessages(CHAT, List.of(UserMessage.from("Another secret")));
    assertThat(
            memory
                .memory()
                .<List<Trajectory>>view(SPACE, view -> view.trajectoriesByExternalId(CHAT)))
        .hasSize(2);
    chats.deleteMessages(CHAT);
    assertThat(chats.getMessages(CHAT)).isEmpty();
    assertThat(
            memory
                .memory()
                .<List<Trajectory>>view(SPACE, view -> view.trajectoriesByExternalId(CHAT)))
        .isEmpty();
  }

  @Test
  void aSessionThatOthersBeganIsTakenOver() {
    memory
        .memory()
        .remember(
            SPACE,
            CHAT,
            List.of(
                NewTurn.user("What is the weather?"),
                NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c", "weather", "{}")),
                NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c", "Rain", false))));
    List<ChatMessage> found = new ArrayList<>(chats.getMessages(CHAT));
    assertThat(found)
        .containsExactly(
            UserMessage.from("What is the weather?"),
            AiMessage.from(call("c", "{}")),
            ToolExecutionResultMessage.from("c", "weather", "Rain"));
    found.add(AiMessage.from("Rain."));
    chats.updateMessages(CHAT, found);
    assertThat(turns()).isEqualTo(4);
  }

  @Test
  void whatIsRememberedIsContentForAQuestion() {
    memory.memory().remember(SPACE, NewNote.of("I prefer window seats.").withSubject("alice"));
    memory.memory().remember(SPACE, NewNote.of("I prefer aisle seats.").withSubject("bob"));
    List<Content> found =
        memory
            .contentRetriever(5, _ -> RecallFilter.ofSubject("alice"))
            .retrieve(Query.from("Which seats?"));
    assertThat(found)
        .singleElement()
        .satisfies(
            content -> {
              assertThat(content.textSegment().text()).isEqualTo("I prefer window seats.");
              assertThat(content.textSegment().metadata().getString("kind")).isEqualTo("note");
            });
  }
}
