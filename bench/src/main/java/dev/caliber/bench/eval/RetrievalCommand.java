package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Json;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.search.SearchChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eval retrieval}: scores search on one data set. */
@Command(
    name = "retrieval",
    description = {
      "Loads a data set through the real store and index, asks its questions, and prints the share"
          + " of the right documents that was found, with published figures beside it.",
      "",
      "Settings are those of the starter file, the same for every data set.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  eval retrieval --format locomo --data locomo-dev5.json --receipts receipts.jsonl",
      "  eval retrieval --format cacm --data cacm --lexical"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class RetrievalCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--format",
      required = true,
      paramLabel = "NAME",
      description = "The layout of the data: ${COMPLETION-CANDIDATES}.")
  private EvalFormat format = EvalFormat.LOCOMO;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "PATH",
      description = "The file or directory of the data set.")
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
      names = "--lexical",
      description = "Search by words alone: no model is loaded and nothing is embedded.")
  private boolean lexical;

  @Option(
      names = "--weigh",
      split = ",",
      paramLabel = "CHANNEL=N",
      description =
          "Try other weights than the starter file's, such as links=0.4, in the runs that use all"
              + " channels.")
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
          "Also write one line of JSON for each question: its gold, and the hits with the score of"
              + " each channel.")
  private Optional<Path> receipts = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the SQLite store in this directory, so that another run need not embed again.")
  private Optional<Path> keep = Optional.empty();

  RetrievalCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    List<EvalCorpus> corpora = format.read(data);
    Map<EvalMode, List<EvalAnswer>> answers = answers(corpora, progressPrinter);
    List<EvalTable> tables = new EvalProtocol(answers).tables(format);
    receipts.ifPresent(file -> writeReceipts(file, answers));
    json.ifPresent(file -> write(file, Json.text(jsonTree(corpora, tables)) + "\n"));
    command.commandLine().getOut().println(heading(corpora));
    tables.forEach(table -> command.commandLine().getOut().print(table.terminalText()));
    command.commandLine().getOut().flush();
    return 0;
  }

  private Map<EvalMode, List<EvalAnswer>> answers(
      List<EvalCorpus> corpora, ProgressPrinter progressPrinter) {
    if (lexical) {
      return answers(corpora, Optional.empty(), progressPrinter);
    }
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock())) {
      return answers(corpora, Optional.of(models), progressPrinter);
    }
  }

  private Map<EvalMode, List<EvalAnswer>> answers(
      List<EvalCorpus> corpora, Optional<Models> models, ProgressPrinter progressPrinter) {
    Map<EvalMode, List<EvalAnswer>> answers = new TreeMap<>();
    try (BenchLocations benchLocations = BenchLocations.createIn(Optional.empty());
        EvalStore store =
            EvalStore.open(
                keep.filter(_ -> engine == BenchEngine.SQLITE)
                    .<dev.caliber.store.StoreConfig.EngineSettings>map(BenchLocations::sqliteIn)
                    .orElseGet(() -> benchLocations.newEngine(engine)),
                benchLocations.directory("indexes"),
                models.flatMap(Models::embedder),
                progressPrinter)) {
      for (EvalCorpus corpus : corpora) {
        progressPrinter.startPart(
            "%s: %,d documents".formatted(corpus.id(), corpus.documents().size()));
        store.load(corpus);
        askAll(store, corpus, models.isPresent(), answers);
      }
    }
    return answers;
  }

  private void askAll(
      EvalStore store, EvalCorpus corpus, boolean hybrid, Map<EvalMode, List<EvalAnswer>> answers) {
    for (EvalMode mode : hybrid ? EvalMode.values() : new EvalMode[] {EvalMode.LEXICAL}) {
      List<EvalAnswer> all = answers.computeIfAbsent(mode, _ -> new ArrayList<>());
      for (EvalQuestion question : corpus.questions()) {
        all.add(store.search(corpus, question, mode.weights(weights), format.depth()));
      }
    }
  }

  private String heading(List<EvalCorpus> corpora) {
    return "./caliber eval retrieval --format %s --data %s --store %s%s%s%n%s"
        .formatted(
            format,
            data.getFileName(),
            engine,
            lexical ? " --lexical" : "",
            weightsText(),
            sizeText(corpora));
  }

  private String weightsText() {
    return new TreeMap<>(weights)
        .entrySet().stream()
            .map(
                each ->
                    each.getKey().name().toLowerCase(java.util.Locale.ROOT) + "=" + each.getValue())
            .collect(Collectors.joining(",", weights.isEmpty() ? "" : " --weigh ", ""));
  }

  private static String sizeText(List<EvalCorpus> corpora) {
    return "%,d corpora, %,d documents, %,d questions; figures are percentages"
        .formatted(
            corpora.size(),
            corpora.stream().mapToInt(corpus -> corpus.documents().size()).sum(),
            corpora.stream().mapToInt(corpus -> corpus.questions().size()).sum());
  }

  private Map<String, Object> jsonTree(List<EvalCorpus> corpora, List<EvalTable> tables) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", heading(corpora).lines().findFirst().orElseThrow());
    root.put("size", sizeText(corpora));
    root.put("tables", tables);
    return root;
  }

  private static void writeReceipts(Path file, Map<EvalMode, List<EvalAnswer>> answers) {
    StringBuilder lines = new StringBuilder();
    answers.forEach(
        (mode, all) ->
            all.forEach(answer -> lines.append(Json.text(receipt(mode, answer))).append('\n')));
    write(file, lines.toString());
  }

  private static Map<String, Object> receipt(EvalMode mode, EvalAnswer answer) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("mode", mode);
    receipt.put("corpus", answer.corpus());
    receipt.put("question_id", answer.question().id());
    receipt.put("question", answer.question().text());
    receipt.put("category", answer.question().category());
    receipt.put("gold", new java.util.TreeMap<>(answer.question().gold()));
    receipt.put("hits", answer.hits());
    return receipt;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing " + file, e);
    }
  }
}
