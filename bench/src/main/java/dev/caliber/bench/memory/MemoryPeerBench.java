package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
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

/** Measures other libraries in the same run; each name says what the library guarantees. */
public final class MemoryPeerBench {

  /** Entities of the knowledge graph before the measurement. */
  private static final int ENTITIES = 100;

  private static final int OBSERVATIONS = 20;
  private static final int WINDOW = 100;
  private static final String PART = "compared with others";
  private static final String OURS = "Caliber, flushed";
  private static final String ON_OURS = "LangChain4j window of 100 on Caliber's store, flushed";
  private static final String IN_MEMORY =
      "the same window on its InMemoryChatMemoryStore, not durable";

  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;

  public MemoryPeerBench(
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, Map<String, String> environment) {
    try (BenchMemory rig = new BenchMemory(benchLocations.newEngine(BenchEngine.SQLITE))) {
      measureChatMemory(benchReport.section(PART, "messages of a chat"), rig);
      measureNotes(benchReport, rig, environment);
    }
  }

  /** Measures chat memory: LangChain4j's window keeps the last messages; a trajectory keeps all. */
  private void measureChatMemory(BenchReport.ReportSection reportSection, BenchMemory rig) {
    progressPrinter.startPart("LangChain4j");
    Id scope = rig.newScope();
    MessageWindowChatMemory theirs = chatMemory(new InMemoryChatMemoryStore());
    MessageWindowChatMemory ours = chatMemory(rig.asLangChainMemory().chatMemoryStore());
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(OURS, time -> Load.runAlone(time, _ -> rig.append(scope)))
            .addContender(ON_OURS, time -> measureAdd(ours, rig, time))
            .addContender(IN_MEMORY, time -> measureAdd(theirs, rig, time))
            .run(measurementSettings, progressPrinter);
    MemoryBench.addRates(reportSection, OURS, interleavedMeasurement);
    MemoryBench.addRates(reportSection, ON_OURS, interleavedMeasurement);
    MemoryBench.addRates(reportSection, IN_MEMORY, interleavedMeasurement);
  }

  private static MessageWindowChatMemory chatMemory(ChatMemoryStore store) {
    return MessageWindowChatMemory.builder()
        .id("bench")
        .maxMessages(WINDOW)
        .chatMemoryStore(store)
        .build();
  }

  private static Measurement measureAdd(
      MessageWindowChatMemory window, BenchMemory rig, Duration time) {
    return Load.runAlone(time, _ -> window.add(UserMessage.from(rig.newText())));
  }

  private void measureNotes(
      BenchReport benchReport, BenchMemory rig, Map<String, String> environment) {
    progressPrinter.startPart("MCP memory server");
    List<String> entities =
        IntStream.range(0, ENTITIES).mapToObj(number -> "entity-" + number).toList();
    Optional<McpMemoryServer> found =
        McpMemoryServer.install(benchLocations.directory("mcp"), environment, progressPrinter);
    if (found.isEmpty()) {
      return;
    }
    try (McpMemoryServer server = found.get()) {
      for (int i = 0; i < ENTITIES * OBSERVATIONS; i++) {
        rig.remember(entities.get(i % ENTITIES));
      }
      server.start(
          entities, () -> IntStream.range(0, OBSERVATIONS).mapToObj(_ -> rig.newText()).toList());
      String theirs = "MCP server-memory %s, not flushed".formatted(server.version());
      InterleavedMeasurement interleavedMeasurement =
          new InterleavedMeasurement(InterleavedMeasurement.FINE)
              .addContender(
                  OURS, time -> Load.runAlone(time, _ -> rig.remember(entities.getFirst())))
              .addContender(
                  theirs,
                  time ->
                      Load.runAlone(
                          time, _ -> server.addObservation(entities.getFirst(), rig.newText())))
              .run(measurementSettings, progressPrinter);
      BenchReport.ReportSection reportSection =
          benchReport.section(
              PART, "facts about one of %d entities, %d of each".formatted(ENTITIES, OBSERVATIONS));
      MemoryBench.addRates(reportSection, OURS, interleavedMeasurement);
      MemoryBench.addRates(reportSection, theirs, interleavedMeasurement);
    }
  }
}
