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

/** Lets others watch memory. Without an exporter nothing is wrapped and nothing leaves. */
public final class Telemetry implements AutoCloseable {
  private static final String NAME = "caliber";
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private final Optional<SdkTracerProvider> provider;
  private final boolean queryText;

  private Telemetry(Optional<SdkTracerProvider> provider, boolean queryText) {
    this.provider = provider;
    this.queryText = queryText;
  }

  /** As the settings say; spans are sent in the background. */
  public static Telemetry open(ServerConfig.Telemetry settings) {
    return switch (settings.exporter()) {
      case NONE -> new Telemetry(Optional.empty(), false);
      case OTLP ->
          over(
              BatchSpanProcessor.builder(
                      OtlpHttpSpanExporter.builder().setEndpoint(settings.endpoint()).build())
                  .build(),
              settings.queryText());
    };
  }

  /** With spans going to this processor. */
  static Telemetry over(SpanProcessor processor, boolean queryText) {
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put(SERVICE, NAME).build())
            .addSpanProcessor(processor)
            .build();
    return new Telemetry(Optional.of(provider), queryText);
  }

  /** The same memory, with a span for each call. */
  public Memory watch(Memory memory) {
    return spans().<Memory>map(spans -> new TracedMemory(memory, spans)).orElse(memory);
  }

  /** The same assembler, with a span for each window. */
  public ContextAssembler watch(ContextAssembler assembler) {
    return spans()
        .<ContextAssembler>map(spans -> new TracedAssembler(assembler, spans))
        .orElse(assembler);
  }

  private Optional<Spans> spans() {
    return provider.map(found -> new Spans(found.get(NAME), queryText));
  }

  /** Sends what waits to be sent. */
  @Override
  public void close() {
    provider.ifPresent(SdkTracerProvider::close);
  }
}
