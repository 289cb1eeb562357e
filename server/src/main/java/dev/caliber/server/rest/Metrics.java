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

/**
 * Counts and times, as Prometheus reads them. Routes are named by their pattern, never by an id.
 */
final class Metrics implements AutoCloseable {
  private static final String REQUESTS = "http.server.requests";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  Metrics(MeterBinder rooms) {
    rooms.bindTo(registry);
  }

  /**
   * Counts what the process itself does, too; to be called once it listens, since it takes time.
   */
  void watchProcess() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  /** The same handler, with its time taken. */
  Handler timed(String method, String route, Handler handler) {
    return context -> {
      Timer.Sample sample = Timer.start(registry);
      String outcome = "refused";
      try {
        handler.handle(context);
        outcome = "answered";
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

  void answer(Context context) {
    context.contentType("text/plain; version=0.0.4; charset=utf-8").result(registry.scrape());
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
