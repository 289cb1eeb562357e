package dev.caliber.bench.server;

import com.sun.management.OperatingSystemMXBean;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.BenchReport.ReportSection;
import dev.caliber.bench.harness.Figure.FigureTarget;
import dev.caliber.bench.harness.Figure.FigureUnit;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.MeasuredSamples;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.OpenLoopLoad;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.server.Wiring;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Measures the overhead of the server over memory, and its throughput. */
public record ServerBench(BenchLocations places, ProgressPrinter progress, ServerBenchScale scale) {
  private static final double SLOWEST_MILLIS = 50;
  private static final double P99 = 0.99;
  private static final double P50 = 0.5;
  private static final int MOST_RATE = 64_000;
  private static final int FIRST_RATE = 25;
  private static final int REFINEMENTS = 3;
  private static final int WARM_UPS = 3;
  private static final int CLIENTS = 32;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int SOAK_RATE = 50;
  private static final int SOAK_LOOKS = 5;
  private static final double GROWTH = 1.25;
  private static final double TWICE = 1.5;
  private static final double MEBI = 1 << 20;

  /** Durations and counts, for a quick run or one to publish. */
  public record ServerBenchScale(
      Duration step, Duration soak, int records, int subscribers, int events, int starts) {}

  /** Measures the time until a process on a new store listens, and until its model is loaded. */
  public void measureStart(BenchReport benchReport) {
    progress.startPart("start");
    ReportSection reportSection =
        benchReport.section("server", "start of a process, %d times".formatted(scale.starts()));
    String launcher = System.getProperty("caliber.command", "");
    if (launcher.isEmpty()) {
      measureStart(reportSection, "the server alone", ServerChildProcess::startAlone);
      return;
    }
    ServerChildProcess.startWithLauncher(launcher, places.directory("start"), "")
        .close(); // files are read once
    measureStart(
        reportSection,
        "caliber serve",
        place -> ServerChildProcess.startWithLauncher(launcher, place, ""));
    measureStart(
        reportSection,
        "caliber serve without its AOT cache",
        place -> ServerChildProcess.startWithLauncher(launcher, place, "-XX:AOTMode=off"));
  }

  private void measureStart(
      ReportSection reportSection, String what, Function<Path, ServerChildProcess> starting) {
    MeasuredSamples listening = new MeasuredSamples();
    MeasuredSamples ready = new MeasuredSamples();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < scale.starts(); i++) {
        Path place = places.directory("start");
        long begin = Stopwatch.nanos();
        try (ServerChildProcess child = starting.apply(place)) {
          listening.add(Stopwatch.nanos() - begin);
          while (!BenchServer.isReady(client, child.address())) {
            Stopwatch.waitUntil(Stopwatch.nanosAfter(LOOK));
          }
          ready.add(Stopwatch.nanos() - begin);
        }
      }
    }
    double median = listening.percentile(P50) / 1e6;
    reportSection.add(
        what + " listens, median", median, FigureUnit.MILLIS, FigureTarget.below(2000));
    reportSection.add(what + " listens, slowest", listening.max() / 1e6, FigureUnit.MILLIS);
    reportSection.add(
        what + " has its model, median", ready.percentile(P50) / 1e6, FigureUnit.MILLIS);
  }

  /** Measures the highest rate at which 99 of 100 requests are answered within 50 ms. */
  public void measureRates(BenchReport benchReport) {
    Path directory = places.directory("server");
    try (BenchServer rig = new BenchServer(places.newEngine(BenchEngine.SQLITE), directory)) {
      fillServer(rig);
      AtomicLong number = new AtomicLong(scale.records());
      ReportSection reportSection =
          benchReport.section(
              "server", "open-loop load on %,d notes, p99 < 50 ms".formatted(scale.records()));
      measureRate(
          rig, reportSection, "recall", n -> rig.post("/recall", BenchServer.recallBody(n)));
      measureRate(
          rig,
          reportSection,
          "assemble",
          _ -> rig.post("/context/assemble", "{\"session\": \"s\", \"keep\": \"EPHEMERAL\"}"));
      measureRate( // last, because it adds turns
          rig,
          reportSection,
          "remember",
          _ -> rig.post("/remember", BenchServer.rememberBody(number.incrementAndGet())));
    }
  }

  private void fillServer(BenchServer rig) {
    progress.startPart("filling");
    for (long i = 0; i < scale.records(); i++) {
      rig.post("/remember", BenchServer.rememberBody(i));
      if (i % 10 == 0) {
        rig.post(
            "/remember", "{\"text\": \"Where is parcel %d?\", \"session\": \"s\"}".formatted(i));
      }
    }
  }

  /** Doubles the rate until it is too high, then searches between. */
  private void measureRate(
      BenchServer rig,
      ReportSection reportSection,
      String name,
      OpenLoopLoad.LoadRequest loadRequest) {
    AtomicLong number = new AtomicLong();
    for (int i = 0; i < WARM_UPS; i++) {
      Measurement warm =
          Load.runConcurrently(
              CLIENTS,
              scale.step(),
              _ -> {
                boolean _ = loadRequest.send(number.incrementAndGet());
              });
      progress.printLine("%s: %,d calls to warm up".formatted(name, warm.operations()));
    }
    rig.awaitVectors();
    int good = 0;
    int bad = FIRST_RATE;
    while (bad <= MOST_RATE && meetsTarget(name, bad, loadRequest)) {
      good = bad;
      bad *= 2;
    }
    for (int i = 0; i < REFINEMENTS && good > 0; i++) {
      int between = (good + bad) / 2;
      if (meetsTarget(name, between, loadRequest)) {
        good = between;
      } else {
        bad = between;
      }
    }
    reportSection.add(name, good, FigureUnit.PER_SECOND);
    if (good > 0) {
      OpenLoopLoad.OpenLoopResult half =
          new OpenLoopLoad(Math.max(1, good / 2), scale.step()).run(loadRequest);
      reportSection.add(
          name + ", p50 at half of it", half.percentileMillis(P50), FigureUnit.MILLIS);
      reportSection.add(
          name + ", p99 at half of it", half.percentileMillis(P99), FigureUnit.MILLIS);
    }
  }

  private boolean meetsTarget(String name, int rate, OpenLoopLoad.LoadRequest loadRequest) {
    OpenLoopLoad.OpenLoopResult openLoopResult =
        new OpenLoopLoad(rate, scale.step()).run(loadRequest);
    progress.printLine(
        "%s at %d/s: p99 %.1f ms, %d refused"
            .formatted(name, rate, openLoopResult.percentileMillis(P99), openLoopResult.refused()));
    return openLoopResult.refused() == 0 && openLoopResult.percentileMillis(P99) < SLOWEST_MILLIS;
  }

  /** Measures the delay until each of many idle clients receives a commit. */
  public void measureSubscribers(BenchReport benchReport) {
    progress.startPart("subscribers");
    try (BenchServer rig =
            new BenchServer(places.newEngine(BenchEngine.SQLITE), places.directory("server"));
        EventStreamClients eventStreamClients =
            EventStreamClients.open(rig.address(), scale.subscribers())) {
      Runnable writing = () -> rig.post("/remember", BenchServer.rememberBody(Stopwatch.nanos()));
      for (int i = 0; i < WARM_UPS * scale.events(); i++) {
        eventStreamClients.measureDelivery(writing);
      }
      MeasuredSamples latencies = new MeasuredSamples();
      for (int i = 0; i < scale.events(); i++) {
        latencies.addAll(eventStreamClients.measureDelivery(writing));
      }
      ReportSection reportSection =
          benchReport.section("server", "%d idle event streams".formatted(scale.subscribers()));
      reportSection.add(
          "a commit is received, p50", latencies.percentile(P50) / 1e6, FigureUnit.MILLIS);
      reportSection.add(
          "a commit is received, p99", latencies.percentile(P99) / 1e6, FigureUnit.MILLIS);
      reportSection.add(
          "a commit is received by the last",
          latencies.max() / 1e6,
          FigureUnit.MILLIS,
          FigureTarget.below(100));
    }
  }

  /** Measures the same note over HTTP and by a call. */
  public void measureOverhead(BenchReport benchReport) {
    progress.startPart("overhead");
    Measurement inside;
    AtomicLong number = new AtomicLong();
    try (RecordStore store =
        Stores.open(
            StoreConfig.starter().withEngine(places.newEngine(BenchEngine.SQLITE)),
            Wiring.tables(),
            Stopwatch.clock(),
            IdGenerator.of(Stopwatch.clock(), RandomSource.system()))) {
      store.createSpace(SpaceId.DEFAULT);
      MemoryConfig config = MemoryConfig.starter();
      Memory memory =
          Memory.of(
              store,
              config,
              Wiring.memoryDependencies(
                  Stopwatch.clock(),
                  RuntimeConfig.starter(),
                  AgentsConfig.starter(),
                  _ -> Optional.empty()));
      Load load =
          _ ->
              memory.remember(
                  SpaceId.DEFAULT,
                  NewNote.of("Customer %d prefers parcels".formatted(number.incrementAndGet())));
      Load.runAlone(scale.step(), load);
      inside = Load.runAlone(scale.step(), load);
    }
    try (BenchServer rig =
        new BenchServer(places.newEngine(BenchEngine.SQLITE), places.directory("server"))) {
      Load load =
          _ ->
              rig.post(
                  "/remember",
                  "{\"text\": \"Customer %d prefers parcels\"}"
                      .formatted(number.incrementAndGet()));
      Load.runAlone(scale.step(), load);
      Measurement outside = Load.runAlone(scale.step(), load);
      double call = inside.latencies().percentile(P50);
      double http = outside.latencies().percentile(P50);
      ReportSection reportSection =
          benchReport.section("server", "one client, one request after the other");
      reportSection.add("remember by a call, p50", call / 1e3, FigureUnit.MICROS);
      reportSection.add("remember over HTTP, p50", http / 1e3, FigureUnit.MICROS);
      reportSection.add("HTTP to a call", http / call, FigureUnit.RATIO);
    }
  }

  /** Measures the memory in use after a collection, from beginning to end. */
  public void measureSoak(BenchReport benchReport) {
    progress.startPart("soak");
    try (BenchServer rig =
        new BenchServer(places.newEngine(BenchEngine.SQLITE), places.directory("server"))) {
      List<Double> used = new ArrayList<>();
      AtomicLong number = new AtomicLong();
      OpenLoopLoad piece = new OpenLoopLoad(SOAK_RATE, scale.soak().dividedBy(SOAK_LOOKS));
      long refused = 0;
      for (int i = 0; i < SOAK_LOOKS; i++) {
        OpenLoopLoad.OpenLoopResult openLoopResult =
            piece.run(
                n ->
                    n % 2 == 0
                        ? rig.post(
                            "/remember",
                            BenchServer.rememberBody(number.incrementAndGet() % scale.records()))
                        : rig.post("/recall", BenchServer.recallBody(n)));
        refused += openLoopResult.refused();
        used.add(heapAfterCollection());
        progress.printLine("%.0f MiB in use".formatted(used.getLast()));
      }
      ReportSection reportSection =
          benchReport.section("server", "soak of %s at %d/s".formatted(scale.soak(), SOAK_RATE));
      reportSection.add("refused", (double) refused, FigureUnit.COUNT);
      reportSection.add("MiB in use after the first fifth", used.getFirst(), FigureUnit.COUNT);
      reportSection.add("MiB in use at the end", used.getLast(), FigureUnit.COUNT);
      reportSection.add(
          "end to first fifth",
          used.getLast() / used.getFirst(),
          FigureUnit.RATIO,
          FigureTarget.below(GROWTH));
    }
  }

  private static double heapAfterCollection() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEBI;
  }

  /** Measures two processes on one PostgreSQL compared with one. */
  public void measureTwoProcesses(BenchReport benchReport) {
    progress.startPart("processes on one PostgreSQL");
    StoreConfig.PostgresSettings engine =
        (StoreConfig.PostgresSettings) places.newEngine(BenchEngine.POSTGRES);
    try (ServerChildProcess first =
            ServerChildProcess.startOnPostgres(engine, places.directory("first"));
        ServerChildProcess second =
            ServerChildProcess.startOnPostgres(engine, places.directory("second"));
        HttpClient client = HttpClient.newHttpClient()) {
      ReportSection reportSection =
          benchReport.section(
              "server",
              "%d clients, recall and remember alternately, PostgreSQL".formatted(CLIENTS));
      measureThroughput(client, List.of(first.address(), second.address()));
      cpuBusyShare();
      double one = measureThroughput(client, List.of(first.address()));
      double besideOne = cpuBusyShare();
      double two = measureThroughput(client, List.of(first.address(), second.address()));
      double besideTwo = cpuBusyShare();
      reportSection.add("one server process", one, FigureUnit.PER_SECOND);
      reportSection.add("share of the processors in use, one process", besideOne, FigureUnit.COUNT);
      reportSection.add("two server processes", two, FigureUnit.PER_SECOND);
      reportSection.add(
          "share of the processors in use, two processes", besideTwo, FigureUnit.COUNT);
      reportSection.add("two to one", two / one, FigureUnit.RATIO, FigureTarget.atLeast(TWICE));
    }
  }

  /**
   * Returns the share of all processors in use since the last call: clients, servers and PostgreSQL
   * share them, so a second process brings no gain if none is free.
   */
  private static double cpuBusyShare() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
  }

  private double measureThroughput(HttpClient client, List<URI> servers) {
    AtomicLong number = new AtomicLong();
    Measurement measurement =
        Load.runConcurrently(
            CLIENTS,
            scale.step(),
            worker -> {
              URI server = servers.get(worker % servers.size());
              long n = number.incrementAndGet();
              boolean _ =
                  n % 2 == 0
                      ? BenchServer.post(client, server, "/remember", BenchServer.rememberBody(n))
                      : BenchServer.post(client, server, "/recall", BenchServer.recallBody(n));
            });
    return measurement.operations() / Stopwatch.seconds(measurement.nanos());
  }
}
