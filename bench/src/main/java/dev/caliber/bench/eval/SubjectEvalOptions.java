package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Json;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options for data, store and output of an evaluation with several subjects in one space. */
final class SubjectEvalOptions {

  @Option(
      names = "--data",
      required = true,
      paramLabel = "FILE",
      description = "The file of the data set.")
  private Path data = Path.of("");

  @Option(
      names = "--store",
      defaultValue = "sqlite",
      paramLabel = "sqlite|postgres",
      description =
          "The engine under the index. PostgreSQL is a private server that is started for the run"
              + " (default: ${DEFAULT-VALUE}).")
  private BenchEngine engine = BenchEngine.SQLITE;

  @Option(
      names = "--weigh",
      split = ",",
      paramLabel = "CHANNEL=N",
      description = "Try other weights than the starter file's, such as session=0.1.")
  private Map<SearchChannel, Double> weights = Map.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--receipts",
      paramLabel = "FILE",
      description =
          "Also write one line of JSON for each question: the right records, and the hits.")
  private Optional<Path> receipts = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the SQLite store in this directory, so that another run need not embed again.")
  private Optional<Path> keep = Optional.empty();

  Path data() {
    return data;
  }

  /** Opens the store, loads the records and runs the evaluation's queries. */
  <T> T runOnStore(
      List<SubjectRecords> subjects,
      Map<String, String> environment,
      ProgressPrinter progressPrinter,
      Function<SubjectStore, T> questions) {
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock());
        BenchLocations benchLocations = BenchLocations.createIn(Optional.empty());
        SubjectStore store =
            SubjectStore.open(
                keep.filter(_ -> engine == BenchEngine.SQLITE)
                    .<StoreConfig.EngineSettings>map(BenchLocations::sqliteIn)
                    .orElseGet(() -> benchLocations.newEngine(engine)),
                benchLocations.directory("indexes"),
                models,
                weights,
                progressPrinter)) {
      store.load(subjects);
      return questions.apply(store);
    }
  }

  /** Returns the command as typed, without its output options. */
  String commandLine(String command) {
    return "./caliber eval %s --data %s --store %s%s"
        .formatted(command, data.getFileName(), engine, weightsText());
  }

  private String weightsText() {
    return new TreeMap<>(weights)
        .entrySet().stream()
            .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + "=" + each.getValue())
            .collect(Collectors.joining(",", weights.isEmpty() ? "" : " --weigh ", ""));
  }

  void writeJson(Object tree) {
    json.ifPresent(file -> write(file, Json.text(tree) + "\n"));
  }

  void writeReceipts(List<Map<String, Object>> lines) {
    receipts.ifPresent(
        file ->
            write(
                file,
                lines.stream().map(line -> Json.text(line) + "\n").collect(Collectors.joining())));
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing " + file, e);
    }
  }
}
