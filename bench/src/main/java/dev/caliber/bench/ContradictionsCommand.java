package dev.caliber.bench;

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

/** {@code eval contradictions}. */
@Command(
    name = "contradictions",
    description = {
      "Holds every message that a user wrote in a chat of BEAM against every other and itself, by"
          + " the rules that link notes, and compares what they find with BEAM's labelled pairs.",
      "",
      "A question about a contradiction is found if some pair of messages of its two sides is. A"
          + " pair that is found is right if it is of the two sides of such a question; one of an"
          + " update (an old value and a new one) is counted beside it. Contradictions that nobody"
          + " labelled count as wrong, so precision is a lower bound: the receipts show each pair.",
      "",
      "Settings are those of the starter file. No model takes part.",
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
              + " that it went by, and for each labelled pair that was missed.")
  private Optional<Path> receipts = Optional.empty();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    List<ContradictionScore> scores =
        BeamReader.read(data).stream().map(ContradictionScore::of).toList();
    receipts.ifPresent(file -> write(file, lines(scores)));
    json.ifPresent(file -> write(file, Json.text(tree(scores)) + "\n"));
    print(out, scores);
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, List<ContradictionScore> scores) {
    ContradictionScore all = ContradictionScore.total(scores);
    out.println("./caliber eval contradictions --data " + data.getFileName());
    out.println(
        "%,d chats, %,d pairs of messages, %,d questions about contradictions"
            .formatted(scores.size(), all.compared(), all.questions()));
    out.println();
    out.println("%-12s %9s %9s %9s %10s".formatted("", "found", "right", "updates", "precision"));
    all.rules()
        .forEach(
            (rule, found) ->
                out.println(
                    "%-12s %,9d %,9d %,9d %10s"
                        .formatted(
                            rule,
                            found.size(),
                            count(found, ContradictionScore.Label.CONTRADICTION),
                            count(found, ContradictionScore.Label.UPDATE),
                            percent(
                                count(found, ContradictionScore.Label.CONTRADICTION),
                                found.size()))));
    out.println();
    out.println("precision     %s".formatted(percent(all.right(), all.claimed())));
    out.println(
        "precision, updates counted as right     %s"
            .formatted(percent(all.right() + all.updates(), all.claimed())));
    out.println(
        "recall, questions     %s (%d of %d)"
            .formatted(percent(all.answered(), all.questions()), all.answered(), all.questions()));
  }

  private static long count(List<ContradictionScore.Found> found, ContradictionScore.Label label) {
    return found.stream().filter(each -> each.label() == label).count();
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : "%.1f %%".formatted(100.0 * part / whole);
  }

  private static Map<String, Object> tree(List<ContradictionScore> scores) {
    ContradictionScore all = ContradictionScore.total(scores);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("chats", scores.size());
    root.put("pairs", all.compared());
    root.put("found", all.claimed());
    root.put("changes", all.found().size() - all.claimed());
    root.put("right", all.right());
    root.put("updates", all.updates());
    root.put("questions", all.questions());
    root.put("answered", all.answered());
    return root;
  }

  private static String lines(List<ContradictionScore> scores) {
    return scores.stream()
        .flatMap(score -> score.receipts().stream())
        .map(receipt -> Json.text(receipt) + "\n")
        .collect(Collectors.joining());
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw BenchException.preparing("Writing " + file, e);
    }
  }
}
