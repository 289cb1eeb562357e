package dev.caliber.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.record.Turn;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An existing agent gets persistent memory by one line. */
class OneLineTest {
  private static final String THREAD = "thread-7";

  @TempDir Path directory;

  /** The agent, as its author wrote it. */
  @NullMarked
  interface Assistant {
    String chat(@MemoryId String id, @dev.langchain4j.service.UserMessage String text);
  }

  @NullMarked
  static final class Weather {
    @Tool("The weather in a city")
    String weather(@P("city") String city) {
      return "Rain in " + city;
    }
  }

  private static Assistant assistant(ScriptedModel model, CaliberMemory memory) {
    return assistant(model, memory.chatMemoryStore(), memory.contentRetriever(5));
  }

  private static Assistant assistant(
      ScriptedModel model, ChatMemoryStore store, ContentRetriever remembered) {
    return AiServices.builder(Assistant.class)
        .chatModel(model)
        .tools(new Weather())
        .chatMemoryProvider(
            id ->
                MessageWindowChatMemory.builder()
                    .id(id)
                    .maxMessages(20)
                    .chatMemoryStore(store) // the one line
                    .build())
        .contentRetriever(remembered) // optional: recalled records
        .build();
  }

  private static ScriptedModel asksForTheWeather() {
    ToolExecutionRequest request =
        ToolExecutionRequest.builder()
            .id("call_1")
            .name("weather")
            .arguments("{\"city\": \"Oslo\"}")
            .build();
    return new ScriptedModel().says(AiMessage.from(request)).says(AiMessage.from("Take a coat."));
  }

  @Test
  void aToolCallAndItsResultSurviveARestart() {
    try (CaliberMemory memory = CaliberMemory.open(directory)) {
      Assistant assistant = assistant(asksForTheWeather(), memory);
      assertThat(assistant.chat(THREAD, "What do I wear in Oslo?")).isEqualTo("Take a coat.");
    }
    try (CaliberMemory memory = CaliberMemory.open(directory)) {
      ScriptedModel model = new ScriptedModel().says(AiMessage.from("As I said."));
      assistant(model, memory).chat(THREAD, "And shoes?");
      List<ChatMessage> asked = model.lastAsked();
      assertThat(asked).hasSize(5);
      assertThat(asked.get(0)).isEqualTo(UserMessage.from("What do I wear in Oslo?"));
      assertThat(((AiMessage) asked.get(1)).toolExecutionRequests())
          .singleElement()
          .satisfies(request -> assertThat(request.id()).isEqualTo("call_1"));
      ToolExecutionResultMessage result = (ToolExecutionResultMessage) asked.get(2);
      assertThat(result.id()).isEqualTo("call_1");
      assertThat(result.toolName()).isEqualTo("weather");
      assertThat(result.text()).isEqualTo("Rain in Oslo");
      assertThat(asked.get(4)).isEqualTo(UserMessage.from("And shoes?"));
    }
  }

  @Test
  void theAgentIsAskedTheSameAsWithLangChain4jsOwnStore() {
    ScriptedModel before = asksForTheWeather();
    assistant(before, new InMemoryChatMemoryStore(), _ -> List.of())
        .chat(THREAD, "What do I wear in Oslo?");
    ScriptedModel after = asksForTheWeather();
    try (CaliberMemory memory = CaliberMemory.open(directory)) {
      assistant(after, memory).chat(THREAD, "What do I wear in Oslo?");
    }
    assertThat(after.lastAsked()).isEqualTo(before.lastAsked());
  }

  @Test
  void whatWasRememberedComesWithTheQuestion() {
    try (CaliberMemory memory = CaliberMemory.open(directory)) {
      memory
          .memory()
          .remember(dev.caliber.kernel.SpaceId.DEFAULT, NewNote.of("Alice is allergic to wool."));
      ScriptedModel model = new ScriptedModel().says(AiMessage.from("Better not."));
      assistant(model, memory).chat(THREAD, "May Alice wear wool?");
      assertThat(((UserMessage) model.lastAsked().getLast()).singleText())
          .startsWith("May Alice wear wool?")
          .contains("Alice is allergic to wool.");
    }
  }

  @Test
  void whatLeavesTheWindowStaysInMemory() {
    try (CaliberMemory memory = CaliberMemory.open(directory)) {
      MessageWindowChatMemory window =
          MessageWindowChatMemory.builder()
              .id(THREAD)
              .maxMessages(3)
              .chatMemoryStore(memory.chatMemoryStore())
              .build();
      for (int i = 0; i < 10; i++) {
        window.add(UserMessage.from("Message " + i));
      }
      assertThat(window.messages())
          .extracting(message -> ((UserMessage) message).singleText())
          .containsExactly("Message 7", "Message 8", "Message 9");
      List<Turn> turns =
          memory
              .memory()
              .view(
                  dev.caliber.kernel.SpaceId.DEFAULT,
                  view ->
                      view.turns(
                          view.newestTrajectoryByExternalId(THREAD).orElseThrow().id(), 0, 100));
      assertThat(turns).extracting(Turn::searchableText).hasSize(10).contains("Message 0");
      assertThat(
              memory
                  .contentRetriever(5)
                  .retrieve(dev.langchain4j.rag.query.Query.from("Message 2")))
          .isNotEmpty();
    }
  }
}
