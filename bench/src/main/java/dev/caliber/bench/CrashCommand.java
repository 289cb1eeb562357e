package dev.caliber.bench;

import dev.caliber.bench.drill.MemoryDrill;
import dev.caliber.store.Durability;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.crash.CrashDrill;
import dev.caliber.testkit.crash.DrillReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench crash}: the drills of the tests, as often as one likes. */
@Command(
    name = "crash",
    description = {
      "Kills and crashes a store under 16 writers, again and again, and checks what is left.",
      "",
      "After each blow: every acknowledged commit is there, none is torn, the feed has no gap and no"
          + " duplicate, every index equals the bodies. A second kind of kill hits memory while it"
          + " closes scopes, runs policies and consolidates: each step is there whole or not at all,"
          + " and an interrupted run of policies is finished once. Power cuts stop the file system under the"
          + " store without flushing anything; they need root and loop devices.",
      ""
    },
    footer = {
      "",
      "Ends with 1 if anything was lost or found wrong.",
      "",
      "Example:",
      "  bench crash --kills 100 --cuts 50",
      "  bench crash --kills 20 --cuts 0 --engine sqlite --seed 7"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class CrashCommand implements Callable<Integer> {

  private static final int EARLIEST = 50;
  private static final int LATEST = 2_000;

  private static final int MEMORY_EARLIEST = 30;
  private static final int MEMORY_LATEST = 1_000;

  /** Every round reads the whole feed again, so a store serves a few rounds only. */
  private static final int ROUNDS_PER_STORE = 10;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--kills", paramLabel = "N", description = "Kills of each kind (default: 100).")
  private int kills = 100;

  @Option(names = "--cuts", paramLabel = "N", description = "Power cuts per engine (default: 50).")
  private int cuts = 50;

  @Option(names = "--engine", description = "sqlite, postgres or both (default).")
  private EngineName engine = EngineName.BOTH;

  @Option(names = "--seed", paramLabel = "N", description = "The first seed (default: 1).")
  private long seed = 1;

  private long nextSeed;

  /** Makes the drill of one store. */
  private interface Maker {
    CrashDrill make(long seed) throws IOException;
  }

  /** Makes the drill of memory on one store. */
  private interface MemoryMaker {
    MemoryDrill make(long seed) throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    nextSeed = seed;
    boolean clean = true;
    if (engine.each().contains(EngineName.SQLITE)) {
      clean &= drill("SQLite, process killed", kills, CrashCommand::killSqlite);
      clean &= drillMemory("SQLite, memory killed", CrashCommand::memoryOnSqlite);
      clean &=
          drill("SQLite, power cut", cuts, s -> CrashDrill.cutPowerOfSqlite(Durability.FULL, s));
    }
    if (engine.each().contains(EngineName.POSTGRES)) {
      try (PostgresServer server = PostgresServer.start()) {
        clean &=
            drill(
                "PostgreSQL, client killed", kills, s -> CrashDrill.killPostgresClient(server, s));
        clean &=
            drillMemory("PostgreSQL, memory killed", s -> MemoryDrill.postgres(server.url(), s));
        clean &=
            drill("PostgreSQL, server crashed", kills, s -> CrashDrill.crashPostgres(server, s));
      }
      clean &=
          drill(
              "PostgreSQL, power cut",
              cuts,
              s -> CrashDrill.cutPowerOfPostgres(Durability.FULL, s));
    }
    return clean ? 0 : 1;
  }

  private static CrashDrill killSqlite(long seed) throws IOException {
    Path directory = Files.createTempDirectory("caliber-crash");
    directory.toFile().deleteOnExit();
    return CrashDrill.killSqlite(directory, seed);
  }

  private static MemoryDrill memoryOnSqlite(long seed) throws IOException {
    Path directory = Files.createTempDirectory("caliber-crash");
    directory.toFile().deleteOnExit();
    return MemoryDrill.sqlite(directory, seed);
  }

  /** Closes, policies and consolidations are interrupted, and gone on with. */
  private boolean drillMemory(String name, MemoryMaker maker) throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long acknowledged = 0;
    long unfinished = 0;
    int wrong = 0;
    int done = 0;
    while (done < kills) {
      long current = nextSeed++;
      MemoryDrill drill = maker.make(current);
      for (int i = 0; i < ROUNDS_PER_STORE && done < kills; i++) {
        MemoryDrill.Report report = drill.round(MEMORY_EARLIEST, MEMORY_LATEST);
        done++;
        acknowledged += report.acknowledged();
        unfinished += report.unfinished();
        wrong += report.findings().size();
        complain(out, name, current, report.findings());
      }
      progress("%s: %d of %d".formatted(name, done, kills));
    }
    out.println(
        "%-28s %4d blows, %,9d steps acknowledged, %d policy runs interrupted and finished, %d findings"
            .formatted(name, done, acknowledged, unfinished, wrong));
    return wrong == 0;
  }

  private boolean drill(String name, int rounds, Maker maker) throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long acknowledged = 0;
    long lost = 0;
    int wrong = 0;
    int done = 0;
    while (done < rounds) {
      long current = nextSeed++;
      try (CrashDrill drill = maker.make(current)) {
        for (int i = 0; i < ROUNDS_PER_STORE && done < rounds; i++) {
          DrillReport report = drill.round(EARLIEST, LATEST);
          done++;
          acknowledged += report.acknowledged();
          lost += report.lost();
          wrong += report.findings().size();
          complain(out, name, current, report.findings());
        }
      }
      progress("%s: %d of %d".formatted(name, done, rounds));
    }
    out.println(
        "%-28s %4d blows, %,9d commits acknowledged, %d lost, %d findings"
            .formatted(name, done, acknowledged, lost, wrong));
    return lost == 0 && wrong == 0;
  }

  private static void complain(PrintWriter out, String name, long seed, List<String> findings) {
    findings.forEach(finding -> out.println("%s, seed %d: %s".formatted(name, seed, finding)));
  }

  private void progress(String text) {
    Objects.requireNonNull(spec).commandLine().getErr().println(text);
  }
}
