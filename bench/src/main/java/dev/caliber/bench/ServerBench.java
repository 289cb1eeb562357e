package dev.caliber.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.bench.Figure.Bar;
import dev.caliber.bench.Figure.Unit;
import dev.caliber.bench.Report.Section;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.Remember;
import dev.caliber.server.Wiring;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
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

/** What the server adds to memory, and how much it takes at a time. */
record ServerBench(Places places, Progress progress, Scale scale) {
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

  /** How long and how many: a run to look, or one to publish. */
  record Scale(
      Duration step, Duration soak, int records, int subscribers, int events, int starts) {}

  /** From the start of a process on a new store until it listens, and until its model is loaded. */
  void start(Report report) {
    progress.part("start");
    Section section =
        report.section("server", "start of a process, %d times".formatted(scale.starts()));
    String launcher = System.getProperty("caliber.command", "");
    if (launcher.isEmpty()) {
      start(section, "the server alone", ServerChild::alone);
      return;
    }
    ServerChild.launched(launcher, places.directory("start"), "").close(); // files are read once
    start(section, "caliber serve", place -> ServerChild.launched(launcher, place, ""));
    start(
        section,
        "caliber serve without its AOT cache",
        place -> ServerChild.launched(launcher, place, "-XX:AOTMode=off"));
  }

  private void start(Section section, String what, Function<Path, ServerChild> starting) {
    Samples listening = new Samples();
    Samples ready = new Samples();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < scale.starts(); i++) {
        Path place = places.directory("start");
        long begin = Stopwatch.nanos();
        try (ServerChild child = starting.apply(place)) {
          listening.add(Stopwatch.nanos() - begin);
          while (!ServerRig.isReady(client, child.address())) {
            Stopwatch.waitUntil(Stopwatch.after(LOOK));
          }
          ready.add(Stopwatch.nanos() - begin);
        }
      }
    }
    double median = listening.percentile(P50) / 1e6;
    section.add(what + " listens, median", median, Unit.MILLIS, Bar.below(2000));
    section.add(what + " listens, slowest", listening.max() / 1e6, Unit.MILLIS);
    section.add(what + " has its model, median", ready.percentile(P50) / 1e6, Unit.MILLIS);
  }

  /** Requests per second at which 99 of 100 are answered within 50 ms of when they were due. */
  void rates(Report report) {
    Path directory = places.directory("server");
    try (ServerRig rig = new ServerRig(places.fresh(EngineName.SQLITE), directory)) {
      fill(rig);
      AtomicLong number = new AtomicLong(scale.records());
      Section section =
          report.section(
              "server", "open-loop load on %,d notes, p99 < 50 ms".formatted(scale.records()));
      rate(rig, section, "recall", n -> rig.post("/recall", ServerRig.recalling(n)));
      rate(
          rig,
          section,
          "assemble",
          _ -> rig.post("/context/assemble", "{\"session\": \"s\", \"keep\": \"EPHEMERAL\"}"));
      rate( // the last, since it makes them more
          rig,
          section,
          "remember",
          _ -> rig.post("/remember", ServerRig.remembering(number.incrementAndGet())));
    }
  }

  private void fill(ServerRig rig) {
    progress.part("filling");
    for (long i = 0; i < scale.records(); i++) {
      rig.post("/remember", ServerRig.remembering(i));
      if (i % 10 == 0) {
        rig.post(
            "/remember", "{\"text\": \"Where is parcel %d?\", \"session\": \"s\"}".formatted(i));
      }
    }
  }

  /** Doubles until it is too much, then looks between. */
  private void rate(ServerRig rig, Section section, String name, OpenLoop.Request request) {
    AtomicLong number = new AtomicLong();
    for (int i = 0; i < WARM_UPS; i++) {
      Measured warm =
          Load.together(
              CLIENTS,
              scale.step(),
              _ -> {
                boolean _ = request.send(number.incrementAndGet());
              });
      progress.say("%s: %,d calls to warm up".formatted(name, warm.operations()));
    }
    rig.settle();
    int good = 0;
    int bad = FIRST_RATE;
    while (bad <= MOST_RATE && holds(name, bad, request)) {
      good = bad;
      bad *= 2;
    }
    for (int i = 0; i < REFINEMENTS && good > 0; i++) {
      int between = (good + bad) / 2;
      if (holds(name, between, request)) {
        good = between;
      } else {
        bad = between;
      }
    }
    section.add(name, good, Unit.PER_SECOND);
    if (good > 0) {
      OpenLoop.Outcome half = new OpenLoop(Math.max(1, good / 2), scale.step()).run(request);
      section.add(name + ", p50 at half of it", half.p(P50), Unit.MILLIS);
      section.add(name + ", p99 at half of it", half.p(P99), Unit.MILLIS);
    }
  }

  private boolean holds(String name, int rate, OpenLoop.Request request) {
    OpenLoop.Outcome outcome = new OpenLoop(rate, scale.step()).run(request);
    progress.say(
        "%s at %d/s: p99 %.1f ms, %d refused"
            .formatted(name, rate, outcome.p(P99), outcome.refused()));
    return outcome.refused() == 0 && outcome.p(P99) < SLOWEST_MILLIS;
  }

  /** Many who listen, of whom each hears of a commit soon. */
  void subscribers(Report report) {
    progress.part("subscribers");
    try (ServerRig rig =
            new ServerRig(places.fresh(EngineName.SQLITE), places.directory("server"));
        Listeners listeners = Listeners.open(rig.address(), scale.subscribers())) {
      Runnable writing = () -> rig.post("/remember", ServerRig.remembering(Stopwatch.nanos()));
      for (int i = 0; i < WARM_UPS * scale.events(); i++) {
        listeners.hear(writing);
      }
      Samples latencies = new Samples();
      for (int i = 0; i < scale.events(); i++) {
        latencies.addAll(listeners.hear(writing));
      }
      Section section =
          report.section("server", "%d idle event streams".formatted(scale.subscribers()));
      section.add("a commit is heard, p50", latencies.percentile(P50) / 1e6, Unit.MILLIS);
      section.add("a commit is heard, p99", latencies.percentile(P99) / 1e6, Unit.MILLIS);
      section.add(
          "a commit is heard by the last", latencies.max() / 1e6, Unit.MILLIS, Bar.below(100));
    }
  }

  /** The same note over HTTP and by a call. */
  void overhead(Report report) {
    progress.part("overhead");
    Measured inside;
    AtomicLong number = new AtomicLong();
    try (RecordStore store =
        RecordStore.open(
            StoreConfig.starter().withEngine(places.fresh(EngineName.SQLITE)),
            Wiring.tables(),
            Stopwatch.clock(),
            Ids.of(Stopwatch.clock(), Chance.system()))) {
      store.createSpace(SpaceId.DEFAULT);
      MemoryConfig config = MemoryConfig.starter();
      Memory memory =
          Memory.of(
              store,
              config,
              Wiring.parts(
                  Stopwatch.clock(),
                  RuntimeConfig.starter(),
                  AgentsConfig.starter(),
                  _ -> Optional.empty()));
      Load load =
          _ ->
              memory.remember(
                  SpaceId.DEFAULT,
                  Remember.of("Customer %d prefers parcels".formatted(number.incrementAndGet())));
      Load.alone(scale.step(), load);
      inside = Load.alone(scale.step(), load);
    }
    try (ServerRig rig =
        new ServerRig(places.fresh(EngineName.SQLITE), places.directory("server"))) {
      Load load =
          _ ->
              rig.post(
                  "/remember",
                  "{\"text\": \"Customer %d prefers parcels\"}"
                      .formatted(number.incrementAndGet()));
      Load.alone(scale.step(), load);
      Measured outside = Load.alone(scale.step(), load);
      double call = inside.latencies().percentile(P50);
      double http = outside.latencies().percentile(P50);
      Section section = report.section("server", "one client, one request after the other");
      section.add("remember by a call, p50", call / 1e3, Unit.MICROS);
      section.add("remember over HTTP, p50", http / 1e3, Unit.MICROS);
      section.add("HTTP to a call", http / call, Unit.RATIO);
    }
  }

  /** Memory in use after a collection, from beginning to end. */
  void soak(Report report) {
    progress.part("soak");
    try (ServerRig rig =
        new ServerRig(places.fresh(EngineName.SQLITE), places.directory("server"))) {
      List<Double> used = new ArrayList<>();
      AtomicLong number = new AtomicLong();
      OpenLoop piece = new OpenLoop(SOAK_RATE, scale.soak().dividedBy(SOAK_LOOKS));
      long refused = 0;
      for (int i = 0; i < SOAK_LOOKS; i++) {
        OpenLoop.Outcome outcome =
            piece.run(
                n ->
                    n % 2 == 0
                        ? rig.post(
                            "/remember",
                            ServerRig.remembering(number.incrementAndGet() % scale.records()))
                        : rig.post("/recall", ServerRig.recalling(n)));
        refused += outcome.refused();
        used.add(usedAfterCollection());
        progress.say("%.0f MiB in use".formatted(used.getLast()));
      }
      Section section =
          report.section("server", "soak of %s at %d/s".formatted(scale.soak(), SOAK_RATE));
      section.add("refused", (double) refused, Unit.COUNT);
      section.add("MiB in use after the first fifth", used.getFirst(), Unit.COUNT);
      section.add("MiB in use at the end", used.getLast(), Unit.COUNT);
      section.add(
          "end to first fifth", used.getLast() / used.getFirst(), Unit.RATIO, Bar.below(GROWTH));
    }
  }

  private static double usedAfterCollection() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEBI;
  }

  /** Two processes on one PostgreSQL against one. */
  void processes(Report report) {
    progress.part("processes on one PostgreSQL");
    StoreConfig.Postgres engine = (StoreConfig.Postgres) places.fresh(EngineName.POSTGRES);
    try (ServerChild first = ServerChild.sharing(engine, places.directory("first"));
        ServerChild second = ServerChild.sharing(engine, places.directory("second"));
        HttpClient client = HttpClient.newHttpClient()) {
      Section section =
          report.section(
              "server", "%d clients, recall and remember by turns, PostgreSQL".formatted(CLIENTS));
      throughput(client, List.of(first.address(), second.address()));
      busy();
      double one = throughput(client, List.of(first.address()));
      double besideOne = busy();
      double two = throughput(client, List.of(first.address(), second.address()));
      double besideTwo = busy();
      section.add("one server process", one, Unit.PER_SECOND);
      section.add("share of the processors in use, one process", besideOne, Unit.COUNT);
      section.add("two server processes", two, Unit.PER_SECOND);
      section.add("share of the processors in use, two processes", besideTwo, Unit.COUNT);
      section.add("two to one", two / one, Unit.RATIO, Bar.atLeast(TWICE));
    }
  }

  /**
   * How much of all processors was in use since this was asked last: clients, servers and
   * PostgreSQL share them, so that a second process brings nothing where none is left.
   */
  private static double busy() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
  }

  private double throughput(HttpClient client, List<URI> servers) {
    AtomicLong number = new AtomicLong();
    Measured measured =
        Load.together(
            CLIENTS,
            scale.step(),
            worker -> {
              URI server = servers.get(worker % servers.size());
              long n = number.incrementAndGet();
              boolean _ =
                  n % 2 == 0
                      ? ServerRig.post(client, server, "/remember", ServerRig.remembering(n))
                      : ServerRig.post(client, server, "/recall", ServerRig.recalling(n));
            });
    return measured.operations() / Stopwatch.seconds(measured.nanos());
  }
}
