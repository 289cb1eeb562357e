package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eval contradictions}: scores the rules that find contradictions. */
@Command(
    name = "contradictions",
    description = {
      "Compares every message that a user wrote in a chat of BEAM with every other and itself, by"
          + " the rules that link notes, and scores the findings with BEAM's labelled pairs.",
      "",
      "A question about a contradiction counts as found if some pair of messages of its two sides"
          + " is found. A found pair is right if it belongs to the two sides of such a question; a"
          + " pair of an update (an old value and a new one) is counted separately. Unlabelled"
          + " contradictions count as wrong, so precision is a lower bound: the receipts list each"
          + " pair.",
      "",
      "Settings are those of the starter file. No model is used.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  eval contradictions --data beam/100K --receipts contradictions.jsonl"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ContradictionsCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "PATH",
      description = "A directory of BEAM with chat.json, or one that contains such directories.")
  private Path data = Path.of("");

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--receipts",
      paramLabel = "FILE",
      description =
          "Also write one line of JSON for each pair that was found, with the rule and the words"
              + " that matched, and for each labelled pair that was missed.")
  private Optional<Path> receipts = Optional.empty();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    List<ContradictionScore> scores =
        BeamReader.read(data).stream().map(ContradictionScore::of).toList();
    receipts.ifPresent(file -> write(file, receiptLines(scores)));
    json.ifPresent(file -> write(file, Json.text(jsonTree(scores)) + "\n"));
    print(out, scores);
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, List<ContradictionScore> scores) {
    ContradictionScore all = ContradictionScore.total(scores);
    out.println("./caliber eval contradictions --data " + data.getFileName());
    out.println(
        "%,d chats, %,d pairs of messages, %,d questions about contradictions"
            .formatted(scores.size(), all.compared(), all.questionCount()));
    out.println();
    out.println("%-12s %9s %9s %9s %10s".formatted("", "found", "right", "updates", "precision"));
    all.foundByRule()
        .forEach(
            (rule, found) ->
                out.println(
                    "%-12s %,9d %,9d %,9d %10s"
                        .formatted(
                            rule,
                            found.size(),
                            count(found, ContradictionScore.PairLabel.CONTRADICTION),
                            count(found, ContradictionScore.PairLabel.UPDATE),
                            percent(
                                count(found, ContradictionScore.PairLabel.CONTRADICTION),
                                found.size()))));
    out.println();
    out.println("precision     %s".formatted(percent(all.correctPairs(), all.claimedPairs())));
    out.println(
        "precision, updates counted as right     %s"
            .formatted(percent(all.correctPairs() + all.updatePairs(), all.claimedPairs())));
    out.println(
        "recall, questions     %s (%d of %d)"
            .formatted(
                percent(all.answeredQuestions(), all.questionCount()),
                all.answeredQuestions(),
                all.questionCount()));
  }

  private static long count(
      List<ContradictionScore.FoundContradiction> found, ContradictionScore.PairLabel pairLabel) {
    return found.stream().filter(each -> each.label() == pairLabel).count();
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : "%.1f %%".formatted(100.0 * part / whole);
  }

  private static Map<String, Object> jsonTree(List<ContradictionScore> scores) {
    ContradictionScore all = ContradictionScore.total(scores);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("chats", scores.size());
    root.put("pairs", all.compared());
    root.put("found", all.claimedPairs());
    root.put("changes", all.found().size() - all.claimedPairs());
    root.put("right", all.correctPairs());
    root.put("updates", all.updatePairs());
    root.put("questions", all.questionCount());
    root.put("answered", all.answeredQuestions());
    return root;
  }

  private static String receiptLines(List<ContradictionScore> scores) {
    return scores.stream()
        .flatMap(score -> score.receipts().stream())
        .map(receipt -> Json.text(receipt) + "\n")
        .collect(Collectors.joining());
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing " + file, e);
    }
  }
}
