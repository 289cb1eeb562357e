package dev.caliber.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The data that OpenTelemetry receives, and the data that it must not receive. */
class TelemetryTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String SECRET = "Where does she like to sit?";

  private final ManualClock clock = new ManualClock();
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

  private RecordStore store = open();
  private Memory memory = memory();
  private ContextAssembler assembler = assembler();

  @BeforeEach
  void reset() {
    exporter.reset();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private RecordStore open() {
    List<Table<?>> tables =
        Stream.of(Memory.tables(), ContextAssembler.tables()).flatMap(List::stream).toList();
    return Stores.open(
        StoreConfig.starter().withEngine(TestEngines.memory()),
        tables,
        clock,
        IdGenerator.of(clock, RandomSource.seeded(1)));
  }

  private MemoryDependencies parts() {
    return MemoryDependencies.minimal(
        clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)));
  }

  private Memory memory() {
    return Memory.of(store, MemoryConfig.starter(), parts());
  }

  private ContextAssembler assembler() {
    return ContextAssembler.of(store, MemoryConfig.starter(), parts(), TokenCounters.none());
  }

  private void watch(boolean queryText) {
    Telemetry telemetry = Telemetry.withProcessor(SimpleSpanProcessor.create(exporter), queryText);
    memory = telemetry.trace(memory());
    assembler = telemetry.trace(assembler());
  }

  private static String attribute(SpanData span, String name) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
  }

  @Test
  @DisplayName("OBS-02: memory's calls are spans by the conventions, without their text")
  void spans() {
    watch(false);
    var note = memory.remember(SPACE, NewNote.of("I prefer window seats."));
    Id task = memory.remember(SPACE, "t", List.of(NewTurn.user(SECRET))).first().trajectory();
    memory.recall(SPACE, RecallQuery.of(SECRET, 5));
    assembler.assemble(SPACE, AssembleRequest.of(task).withQuery(SECRET));
    memory.forget(SPACE, ForgetRecords.of(note.id()));
    List<SpanData> spans = exporter.getFinishedSpanItems();
    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactly(
            "update_memory", "update_memory", "search_memory", "search_memory", "delete_memory");
    assertThat(attribute(spans.get(0), "gen_ai.memory.record.id")).isEqualTo(note.id().toString());
    assertThat(attribute(spans.get(3), "gen_ai.conversation.id")).isEqualTo(task.toString());
    assertThat(attribute(spans.get(4), "gen_ai.memory.record.id")).isEqualTo(note.id().toString());
    assertThat(spans)
        .allSatisfy(
            span -> {
              assertThat(attribute(span, "gen_ai.memory.store.id")).isEqualTo("default");
              assertThat(span.getAttributes().toString()).doesNotContain("sit", "window seats");
            });
  }

  @Test
  @DisplayName("OBS-02: a write within a larger commit is a span, too")
  void writesInCommitsAreSpans() {
    watch(false);
    store.write(
        SPACE,
        transaction -> {
          Id note = memory.remember(transaction, NewNote.of("I prefer window seats.")).id();
          memory.remember(transaction, "t", List.of(NewTurn.user(SECRET)));
          return memory.run(transaction, ForgetRecords.of(note));
        });
    assertThat(exporter.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactly("update_memory", "update_memory", "delete_memory");
  }

  @Test
  void queriesAreTracedOnlyIfConfigured() {
    watch(true);
    memory.recall(SPACE, RecallQuery.of(SECRET, 5));
    assertThat(attribute(exporter.getFinishedSpanItems().getFirst(), "gen_ai.memory.query.text"))
        .isEqualTo(SECRET);
  }

  @Test
  void aFailureIsToldWithItsCode() {
    watch(false);
    ForgetRecords unknown = ForgetRecords.of(Id.derivedFrom("test", "unknown"));
    assertThatThrownBy(() -> memory.run(SPACE, unknown)).isInstanceOf(MemoryException.class);
    SpanData span = exporter.getFinishedSpanItems().getFirst();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(span, "error.type")).contains("UNKNOWN_RECORD");
  }

  @Test
  void withoutAnExporterNothingIsWrapped() {
    try (Telemetry none = Telemetry.open(ServerConfig.starter().telemetry())) {
      assertThat(none.trace(memory)).isSameAs(memory);
      assertThat(none.trace(assembler)).isSameAs(assembler);
    }
  }

  @Test
  @DisplayName("OBS-02: a collector gets the spans by OTLP over HTTP")
  void aCollectorGetsThem() throws IOException, InterruptedException {
    try (SpanCollector collector = new SpanCollector()) {
      try (Telemetry telemetry =
          Telemetry.open(
              ServerConfig.starter()
                  .with(
                      "server.telemetry.exporter = 'otlp'",
                      "server.telemetry.endpoint = '%s'".formatted(collector.endpoint()))
                  .telemetry())) {
        telemetry.trace(memory).recall(SPACE, RecallQuery.of(SECRET, 5));
      }
      assertThat(collector.received().take())
          .contains("search_memory", "caliber")
          .doesNotContain("sit?");
    }
  }
}
