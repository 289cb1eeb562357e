package dev.caliber.bench;

import dev.caliber.kernel.Json;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.search.Channel;
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

/** {@code eval retrieval}. */
@Command(
    name = "retrieval",
    description = {
      "Loads a data set through the real store and index, asks its questions, and prints how much of"
          + " what answers them was found, with published figures beside it.",
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
  private EngineName engine = EngineName.SQLITE;

  @Option(
      names = "--lexical",
      description = "Words alone: no model is loaded and nothing is embedded.")
  private boolean lexical;

  @Option(
      names = "--weigh",
      split = ",",
      paramLabel = "CHANNEL=N",
      description =
          "Try another weight than the starter file's, such as links=0.4, for what is not words"
              + " alone.")
  private Map<Channel, Double> weights = Map.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--receipts",
      paramLabel = "FILE",
      description =
          "Also write one line of JSON for each question: its gold, and what was found with the"
              + " score of each channel.")
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
    Progress progress = new Progress(command.commandLine().getErr());
    List<EvalCorpus> corpora = format.read(data);
    Map<EvalMode, List<EvalAnswer>> answers = answers(corpora, progress);
    List<EvalTable> tables = new EvalProtocol(answers).tables(format);
    receipts.ifPresent(file -> writeReceipts(file, answers));
    json.ifPresent(file -> write(file, Json.text(tree(corpora, tables)) + "\n"));
    command.commandLine().getOut().println(heading(corpora));
    tables.forEach(table -> command.commandLine().getOut().print(table.terminal()));
    command.commandLine().getOut().flush();
    return 0;
  }

  private Map<EvalMode, List<EvalAnswer>> answers(List<EvalCorpus> corpora, Progress progress) {
    if (lexical) {
      return answers(corpora, Optional.empty(), progress);
    }
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock())) {
      return answers(corpora, Optional.of(models), progress);
    }
  }

  private Map<EvalMode, List<EvalAnswer>> answers(
      List<EvalCorpus> corpora, Optional<Models> models, Progress progress) {
    Map<EvalMode, List<EvalAnswer>> answers = new TreeMap<>();
    try (Places places = Places.under(Optional.empty());
        EvalStore store =
            EvalStore.open(
                keep.filter(_ -> engine == EngineName.SQLITE)
                    .<dev.caliber.store.StoreConfig.EngineConfig>map(Places::sqlite)
                    .orElseGet(() -> places.fresh(engine)),
                places.directory("indexes"),
                models.flatMap(Models::embedder),
                progress)) {
      for (EvalCorpus corpus : corpora) {
        progress.part("%s: %,d documents".formatted(corpus.id(), corpus.documents().size()));
        store.load(corpus);
        ask(store, corpus, models.isPresent(), answers);
      }
    }
    return answers;
  }

  private void ask(
      EvalStore store, EvalCorpus corpus, boolean hybrid, Map<EvalMode, List<EvalAnswer>> answers) {
    for (EvalMode mode : hybrid ? EvalMode.values() : new EvalMode[] {EvalMode.LEXICAL}) {
      List<EvalAnswer> all = answers.computeIfAbsent(mode, _ -> new ArrayList<>());
      for (EvalQuestion question : corpus.questions()) {
        all.add(store.ask(corpus, question, mode.weights(weights), format.depth()));
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
            weighing(),
            size(corpora));
  }

  private String weighing() {
    return new TreeMap<>(weights)
        .entrySet().stream()
            .map(
                each ->
                    each.getKey().name().toLowerCase(java.util.Locale.ROOT) + "=" + each.getValue())
            .collect(Collectors.joining(",", weights.isEmpty() ? "" : " --weigh ", ""));
  }

  private static String size(List<EvalCorpus> corpora) {
    return "%,d corpora, %,d documents, %,d questions; figures are percentages"
        .formatted(
            corpora.size(),
            corpora.stream().mapToInt(corpus -> corpus.documents().size()).sum(),
            corpora.stream().mapToInt(corpus -> corpus.questions().size()).sum());
  }

  private Map<String, Object> tree(List<EvalCorpus> corpora, List<EvalTable> tables) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", heading(corpora).lines().findFirst().orElseThrow());
    root.put("size", size(corpora));
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
      throw BenchException.preparing("Writing " + file, e);
    }
  }
}
