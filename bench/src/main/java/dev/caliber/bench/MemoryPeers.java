package dev.caliber.bench;

import dev.caliber.kernel.Id;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What others do with the same, in the same run: what each promises is in its name. */
final class MemoryPeers {

  /** What the knowledge graph holds before anything is measured. */
  private static final int ENTITIES = 100;

  private static final int OBSERVATIONS = 20;
  private static final int WINDOW = 100;
  private static final String PART = "beside others";
  private static final String OURS = "Caliber, flushed";
  private static final String ON_OURS = "LangChain4j window of 100 on Caliber's store, flushed";
  private static final String IN_MEMORY =
      "the same window on its InMemoryChatMemoryStore, not kept";

  private final Knobs knobs;
  private final Places places;
  private final Progress progress;

  MemoryPeers(Knobs knobs, Places places, Progress progress) {
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  void measure(Report report, Map<String, String> environment) {
    try (MemoryRig rig = new MemoryRig(places.fresh(EngineName.SQLITE))) {
      chat(report.section(PART, "messages of a chat"), rig);
      notes(report, rig, environment);
    }
  }

  /** A window of LangChain4j's keeps the last messages; a trajectory keeps all. */
  private void chat(Report.Section section, MemoryRig rig) {
    progress.part("LangChain4j");
    Id scope = rig.newScope();
    MessageWindowChatMemory theirs = window(new InMemoryChatMemoryStore());
    MessageWindowChatMemory ours = window(rig.langChain().chatMemoryStore());
    Contest contest =
        new Contest(Contest.FINE)
            .enter(OURS, time -> Load.alone(time, _ -> rig.append(scope)))
            .enter(ON_OURS, time -> add(ours, rig, time))
            .enter(IN_MEMORY, time -> add(theirs, rig, time))
            .run(knobs, progress);
    MemoryBench.rates(section, OURS, contest);
    MemoryBench.rates(section, ON_OURS, contest);
    MemoryBench.rates(section, IN_MEMORY, contest);
  }

  private static MessageWindowChatMemory window(ChatMemoryStore store) {
    return MessageWindowChatMemory.builder()
        .id("bench")
        .maxMessages(WINDOW)
        .chatMemoryStore(store)
        .build();
  }

  private static Measured add(MessageWindowChatMemory window, MemoryRig rig, Duration time) {
    return Load.alone(time, _ -> window.add(UserMessage.from(rig.newText())));
  }

  private void notes(Report report, MemoryRig rig, Map<String, String> environment) {
    progress.part("MCP memory server");
    List<String> entities =
        IntStream.range(0, ENTITIES).mapToObj(number -> "entity-" + number).toList();
    Optional<McpMemoryServer> found =
        McpMemoryServer.fetch(places.directory("mcp"), environment, progress);
    if (found.isEmpty()) {
      return;
    }
    try (McpMemoryServer server = found.get()) {
      for (int i = 0; i < ENTITIES * OBSERVATIONS; i++) {
        rig.remember(entities.get(i % ENTITIES));
      }
      server.begin(
          entities, () -> IntStream.range(0, OBSERVATIONS).mapToObj(_ -> rig.newText()).toList());
      String theirs = "MCP server-memory %s, not flushed".formatted(server.version());
      Contest contest =
          new Contest(Contest.FINE)
              .enter(OURS, time -> Load.alone(time, _ -> rig.remember(entities.getFirst())))
              .enter(
                  theirs,
                  time -> Load.alone(time, _ -> server.observe(entities.getFirst(), rig.newText())))
              .run(knobs, progress);
      Report.Section section =
          report.section(
              PART, "facts about one of %d entities, %d of each".formatted(ENTITIES, OBSERVATIONS));
      MemoryBench.rates(section, OURS, contest);
      MemoryBench.rates(section, theirs, contest);
    }
  }
}
