package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eval assemble}: scores windows by the evidence inside. */
@Command(
    name = "assemble",
    description = {
      "Answer evidence under a budget: loads LoCoMo's conversations into memory, assembles a window"
          + " for each question, and prints the share of the turns with the answer that are in the"
          + " window, with two baselines in the same run: the last turns that fit, and the top"
          + " turns by vector alone.",
      "",
      "Each conversation is one trajectory, each of its sessions a closed scope; the question is"
          + " asked in a new scope. All three methods write turns in the same form and count them"
          + " with the same tokenizer. Settings are those of the starter file.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  eval assemble --data ../shared/bench/locomo --svg docs/evidence.svg"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class AssembleEvalCommand implements Callable<Integer> {

  private static final List<Integer> BUDGETS = List.of(500, 1000, 2000, 4000);

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "PATH",
      description = "LoCoMo's JSON file, or a directory with one.")
  private Path data = Path.of("");

  @Option(
      names = "--tokenizer",
      defaultValue = "o200k_base",
      paramLabel = "NAME",
      description = "The tokenizer that counts tokens (default: ${DEFAULT-VALUE}).")
  private String tokenizer = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Only the first N questions of each conversation.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description =
          "A file with the [context] section and its neighbours, instead of the starter file's.")
  private Optional<Path> settings = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the SQLite store in this directory, so that another run need not embed again.")
  private Optional<Path> keep = Optional.empty();

  @Option(names = "--svg", paramLabel = "FILE", description = "Also draw the curve to this file.")
  private Optional<Path> svg = Optional.empty();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  AssembleEvalCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    List<EvalCorpus> corpora = EvalFormat.LOCOMO.read(file());
    EvidenceScores scores = new EvidenceScores(BUDGETS);
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock());
        BenchLocations benchLocations = BenchLocations.createIn(Optional.empty());
        AssembleStore store =
            AssembleStore.open(
                keep.map(BenchLocations::sqliteIn)
                    .orElseGet(() -> BenchLocations.sqliteIn(benchLocations.directory("store"))),
                keep.map(path -> path.resolve("indexes"))
                    .orElse(benchLocations.directory("indexes")),
                models,
                runtime(),
                knownTokenizer(models),
                progressPrinter)) {
      corpora.forEach(corpus -> scoreCorpus(store, corpus, scores, progressPrinter));
    }
    String table = heading() + "\n" + scores.terminalText();
    svg.ifPresent(path -> write(path, EvidenceCurve.toSvg(scores, heading())));
    json.ifPresent(path -> write(path, Json.text(jsonTree(scores)) + "\n"));
    command.commandLine().getOut().print(table);
    command.commandLine().getOut().flush();
    return 0;
  }

  private void scoreCorpus(
      AssembleStore store,
      EvalCorpus corpus,
      EvidenceScores scores,
      ProgressPrinter progressPrinter) {
    progressPrinter.startPart("%s: %,d turns".formatted(corpus.id(), corpus.documents().size()));
    AssembleStore.LoadedConversation loadedConversation = store.load(corpus);
    List<EvalQuestion> questions =
        corpus.questions().stream()
            .filter(EvalQuestion::hasGold)
            .limit(limit.orElse(Integer.MAX_VALUE))
            .toList();
    for (EvalQuestion question : questions) {
      for (EvidenceMethod method : EvidenceMethod.values()) {
        store
            .evidenceByBudget(loadedConversation, question, method, BUDGETS)
            .forEach(
                (budget, windowEvidence) -> scores.add(method, budget, question, windowEvidence));
      }
    }
    progressPrinter.printLine("%s: %,d questions".formatted(corpus.id(), questions.size()));
  }

  private String knownTokenizer(Models models) {
    if (models.tokenCounters().byName(tokenizer).isEmpty()) {
      throw KernelException.invalidValue("--tokenizer", "a known one", tokenizer);
    }
    return tokenizer;
  }

  private RuntimeConfig runtime() {
    return settings
        .map(
            path -> {
              Settings read =
                  Settings.ofStarter(StarterSettings.text(RuntimeConfig.class))
                      .withFile(path.toString(), read(path));
              RuntimeConfig config = read.read("", RuntimeConfig.class);
              read.verify();
              return config;
            })
        .orElseGet(RuntimeConfig::starter);
  }

  private Path file() {
    if (!Files.isDirectory(data)) {
      return data;
    }
    try (Stream<Path> files = Files.list(data)) {
      List<Path> found =
          new ArrayList<>(files.filter(path -> path.toString().endsWith(".json")).toList());
      if (found.size() != 1) {
        throw BenchException.badData(data, "the directory", "one JSON file", found.size() + "");
      }
      return found.getFirst();
    } catch (IOException e) {
      throw BenchException.preparationFailed("Reading " + data, e);
    }
  }

  private String heading() {
    return "./caliber eval assemble --data %s --tokenizer %s%s"
        .formatted(
            data.getFileName(), tokenizer, limit.map(count -> " --limit " + count).orElse(""));
  }

  private Map<String, Object> jsonTree(EvidenceScores scores) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", heading());
    root.put("figures", scores.rows());
    return root;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Reading " + file, e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing " + file, e);
    }
  }
}
