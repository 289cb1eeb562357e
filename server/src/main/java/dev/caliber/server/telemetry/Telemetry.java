package dev.caliber.server.telemetry;

import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.server.settings.ServerConfig;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.Optional;

/** The tracing of memory. Without an exporter, nothing is wrapped and nothing is sent. */
public final class Telemetry implements AutoCloseable {
  private static final String NAME = "caliber";
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private final Optional<SdkTracerProvider> provider;
  private final boolean queryText;

  private Telemetry(Optional<SdkTracerProvider> provider, boolean queryText) {
    this.provider = provider;
    this.queryText = queryText;
  }

  /** Opens telemetry with these settings; spans are sent in the background. */
  public static Telemetry open(ServerConfig.TelemetrySettings settings) {
    return switch (settings.exporter()) {
      case NONE -> none();
      case OTLP ->
          withProcessor(
              BatchSpanProcessor.builder(
                      OtlpHttpSpanExporter.builder()
                          .setEndpoint(settings.endpoint().toString())
                          .build())
                  .build(),
              settings.includeQueryText());
    };
  }

  /** Returns telemetry that records nothing. */
  public static Telemetry none() {
    return new Telemetry(Optional.empty(), false);
  }

  /** Uses this processor of spans. */
  static Telemetry withProcessor(SpanProcessor processor, boolean queryText) {
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put(SERVICE, NAME).build())
            .addSpanProcessor(processor)
            .build();
    return new Telemetry(Optional.of(provider), queryText);
  }

  /** Returns the memory with a span for each call. */
  public Memory trace(Memory memory) {
    return spans()
        .<Memory>map(spanRecorder -> new TracedMemory(memory, spanRecorder))
        .orElse(memory);
  }

  /** Returns the assembler with a span for each window. */
  public ContextAssembler trace(ContextAssembler assembler) {
    return spans()
        .<ContextAssembler>map(spanRecorder -> new TracedAssembler(assembler, spanRecorder))
        .orElse(assembler);
  }

  private Optional<SpanRecorder> spans() {
    return provider.map(found -> new SpanRecorder(found.get(NAME), queryText));
  }

  /** Sends pending spans. */
  @Override
  public void close() {
    provider.ifPresent(SdkTracerProvider::close);
  }
}
