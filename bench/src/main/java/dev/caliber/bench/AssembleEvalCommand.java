package dev.caliber.bench;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Settings;
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

/** {@code eval assemble}. */
@Command(
    name = "assemble",
    description = {
      "Answer evidence under a budget: loads LoCoMo's conversations into memory, assembles a window"
          + " for each question, and prints which share of the turns that answer it is inside, with"
          + " two baselines in the same run: the last turns until full, and the top turns by vector"
          + " alone.",
      "",
      "Each conversation is one trajectory, each of its sessions a closed scope; the question is"
          + " asked in a new scope. All three write turns in the same form and count them by the"
          + " same tokenizer. Settings are those of the starter file.",
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
      description = "What counts tokens (default: ${DEFAULT-VALUE}).")
  private String tokenizer = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Only the first N questions of each conversation.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "The [context] part and its neighbours, instead of the starter file's.")
  private Optional<Path> settings = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Keep the SQLite store there, so that another run need not embed again.")
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
    Progress progress = new Progress(command.commandLine().getErr());
    List<EvalCorpus> corpora = EvalFormat.LOCOMO.read(file());
    EvidenceScores scores = new EvidenceScores(BUDGETS);
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock());
        Places places = Places.under(Optional.empty());
        AssembleStore store =
            AssembleStore.open(
                keep.map(Places::sqlite).orElseGet(() -> Places.sqlite(places.directory("store"))),
                keep.map(path -> path.resolve("indexes")).orElse(places.directory("indexes")),
                models,
                runtime(),
                known(models),
                progress)) {
      corpora.forEach(corpus -> score(store, corpus, scores, progress));
    }
    String table = heading() + "\n" + scores.terminal();
    svg.ifPresent(path -> write(path, EvidenceCurve.svg(scores, heading())));
    json.ifPresent(path -> write(path, Json.text(tree(scores)) + "\n"));
    command.commandLine().getOut().print(table);
    command.commandLine().getOut().flush();
    return 0;
  }

  private void score(
      AssembleStore store, EvalCorpus corpus, EvidenceScores scores, Progress progress) {
    progress.part("%s: %,d turns".formatted(corpus.id(), corpus.documents().size()));
    AssembleStore.Loaded loaded = store.load(corpus);
    List<EvalQuestion> questions =
        corpus.questions().stream()
            .filter(EvalQuestion::hasGold)
            .limit(limit.orElse(Integer.MAX_VALUE))
            .toList();
    for (EvalQuestion question : questions) {
      for (EvidenceMethod method : EvidenceMethod.values()) {
        store
            .evidence(loaded, question, method, BUDGETS)
            .forEach((budget, inside) -> scores.add(method, budget, question, inside));
      }
    }
    progress.say("%s: %,d questions".formatted(corpus.id(), questions.size()));
  }

  private String known(Models models) {
    if (models.counters().named(tokenizer).isEmpty()) {
      throw KernelException.invalidValue("--tokenizer", "one that is known", tokenizer);
    }
    return tokenizer;
  }

  private RuntimeConfig runtime() {
    return settings
        .map(
            path -> {
              Settings read = Settings.parse(path.toString(), read(path));
              RuntimeConfig config = RuntimeConfig.from(read);
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
      throw BenchException.preparing("Reading " + data, e);
    }
  }

  private String heading() {
    return "./caliber eval assemble --data %s --tokenizer %s%s"
        .formatted(
            data.getFileName(), tokenizer, limit.map(count -> " --limit " + count).orElse(""));
  }

  private Map<String, Object> tree(EvidenceScores scores) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", heading());
    root.put("figures", scores.rows());
    return root;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw BenchException.preparing("Reading " + file, e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparing("Writing " + file, e);
    }
  }
}
