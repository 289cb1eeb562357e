package dev.caliber.bench;

import dev.caliber.bench.drill.MemoryDrill;
import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.store.Durability;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.crash.CrashDrill;
import dev.caliber.testkit.crash.CrashDrillReport;
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

/** {@code bench crash}: runs the drills of the tests, any number of times. */
@Command(
    name = "crash",
    description = {
      "Kills and crashes a store under 16 writers, again and again, and checks the result.",
      "",
      "After each crash: every acknowledged commit exists, none is torn, the feed has no gap and no"
          + " duplicate, every index equals the bodies. A second kind of kill hits memory while it"
          + " closes scopes, runs policies and consolidates: each step exists whole or not at all,"
          + " and an interrupted run of policies is finished once. Power cuts stop the file system"
          + " under the store without flushing anything; they need root and loop devices.",
      ""
    },
    footer = {
      "",
      "Exit code 1 if anything was lost or wrong.",
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

  /** Rounds per store: every round reads the whole feed again. */
  private static final int ROUNDS_PER_STORE = 10;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--kills", paramLabel = "N", description = "Kills of each kind (default: 100).")
  private int kills = 100;

  @Option(names = "--cuts", paramLabel = "N", description = "Power cuts per engine (default: 50).")
  private int cuts = 50;

  @Option(names = "--engine", description = "sqlite, postgres or both (default).")
  private BenchEngine engine = BenchEngine.BOTH;

  @Option(names = "--seed", paramLabel = "N", description = "The first seed (default: 1).")
  private long seed = 1;

  private long nextSeed;

  /** Creates the drill of one store. */
  private interface CrashDrillFactory {
    CrashDrill make(long seed) throws IOException;
  }

  /** Creates the drill of memory on one store. */
  private interface MemoryDrillFactory {
    MemoryDrill make(long seed) throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    nextSeed = seed;
    boolean clean = true;
    if (engine.engines().contains(BenchEngine.SQLITE)) {
      clean &= runDrill("SQLite, process killed", kills, CrashCommand::sqliteDrill);
      clean &= runMemoryDrill("SQLite, memory killed", CrashCommand::sqliteMemoryDrill);
      clean &=
          runDrill("SQLite, power cut", cuts, s -> CrashDrill.cutPowerOfSqlite(Durability.FULL, s));
    }
    if (engine.engines().contains(BenchEngine.POSTGRES)) {
      try (PostgresServer server = PostgresServer.start()) {
        clean &=
            runDrill(
                "PostgreSQL, client killed", kills, s -> CrashDrill.killPostgresClient(server, s));
        clean &=
            runMemoryDrill("PostgreSQL, memory killed", s -> MemoryDrill.postgres(server.url(), s));
        clean &=
            runDrill("PostgreSQL, server crashed", kills, s -> CrashDrill.crashPostgres(server, s));
      }
      clean &=
          runDrill(
              "PostgreSQL, power cut",
              cuts,
              s -> CrashDrill.cutPowerOfPostgres(Durability.FULL, s));
    }
    return clean ? 0 : 1;
  }

  private static CrashDrill sqliteDrill(long seed) throws IOException {
    Path directory = Files.createTempDirectory("caliber-crash");
    directory.toFile().deleteOnExit();
    return CrashDrill.killSqlite(directory, seed);
  }

  private static MemoryDrill sqliteMemoryDrill(long seed) throws IOException {
    Path directory = Files.createTempDirectory("caliber-crash");
    directory.toFile().deleteOnExit();
    return MemoryDrill.sqlite(directory, seed);
  }

  /** Runs the memory drill: closes, policies and consolidations are interrupted, and continued. */
  private boolean runMemoryDrill(String name, MemoryDrillFactory maker) throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long acknowledged = 0;
    long unfinished = 0;
    int wrong = 0;
    int done = 0;
    while (done < kills) {
      long current = nextSeed++;
      MemoryDrill drill = maker.make(current);
      for (int i = 0; i < ROUNDS_PER_STORE && done < kills; i++) {
        MemoryDrill.MemoryDrillReport memoryDrillReport =
            drill.runRound(MEMORY_EARLIEST, MEMORY_LATEST);
        done++;
        acknowledged += memoryDrillReport.acknowledged();
        unfinished += memoryDrillReport.unfinished();
        wrong += memoryDrillReport.findings().size();
        printFindings(out, name, current, memoryDrillReport.findings());
      }
      showProgress("%s: %d of %d".formatted(name, done, kills));
    }
    out.println(
        "%-28s %4d kills, %,9d steps acknowledged, %d policy runs finished later, %d findings"
            .formatted(name, done, acknowledged, unfinished, wrong));
    return wrong == 0;
  }

  private boolean runDrill(String name, int rounds, CrashDrillFactory crashDrillFactory)
      throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long acknowledged = 0;
    long lost = 0;
    int wrong = 0;
    int done = 0;
    while (done < rounds) {
      long current = nextSeed++;
      try (CrashDrill drill = crashDrillFactory.make(current)) {
        for (int i = 0; i < ROUNDS_PER_STORE && done < rounds; i++) {
          CrashDrillReport report = drill.runRound(EARLIEST, LATEST);
          done++;
          acknowledged += report.acknowledged();
          lost += report.lost();
          wrong += report.findings().size();
          printFindings(out, name, current, report.findings());
        }
      }
      showProgress("%s: %d of %d".formatted(name, done, rounds));
    }
    out.println(
        "%-28s %4d kills, %,9d commits acknowledged, %d lost, %d findings"
            .formatted(name, done, acknowledged, lost, wrong));
    return lost == 0 && wrong == 0;
  }

  private static void printFindings(
      PrintWriter out, String name, long seed, List<String> findings) {
    findings.forEach(finding -> out.println("%s, seed %d: %s".formatted(name, seed, finding)));
  }

  private void showProgress(String text) {
    Objects.requireNonNull(spec).commandLine().getErr().println(text);
  }
}
