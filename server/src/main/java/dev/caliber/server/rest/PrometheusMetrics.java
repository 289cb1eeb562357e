package dev.caliber.server.rest;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Metrics for Prometheus. Routes are named by their pattern, never with an id. */
final class PrometheusMetrics implements AutoCloseable {
  private static final String REQUESTS = "http.server.requests";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  PrometheusMetrics(MeterBinder rooms) {
    rooms.bindTo(registry);
  }

  /**
   * Registers the metrics of the process; called after the server listens, because it takes time.
   */
  void bindProcessMetrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  /** Returns the handler with a timer around it. */
  Handler withTimer(String method, String route, Handler handler) {
    return context -> {
      Timer.Sample sample = Timer.start(registry);
      String outcome = "failed";
      try {
        handler.handle(context);
        outcome = "completed";
      } finally {
        sample.stop(
            Timer.builder(REQUESTS)
                .tag("method", method)
                .tag("route", route)
                .tag("outcome", outcome)
                .register(registry));
      }
    };
  }

  void answerScrape(Context context) {
    context.contentType("text/plain; version=0.0.4; charset=utf-8").result(registry.scrape());
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
