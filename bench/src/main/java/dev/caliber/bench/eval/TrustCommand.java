package dev.caliber.bench.eval;

import dev.caliber.bench.eval.TrustScores.TrustQueryConstraint;
import dev.caliber.bench.harness.ProgressPrinter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eval trust}: scores how often the right record comes first. */
@Command(
    name = "trust",
    description = {
      "Scores how often the right record comes first: loads notes, chats and artifacts of one or"
          + " several people into one space, asks their questions with the subject and without, and"
          + " prints how often the answer was found, and what came first instead.",
      "",
      "All reads and writes use memory's public interface. Settings are those of the starter file.",
      ""
    },
    footer = {"", "Example:", "  eval trust --data people.json"},
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class TrustCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SubjectEvalOptions options = new SubjectEvalOptions();

  TrustCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    TrustReader.TrustData data = TrustReader.read(options.data());
    Map<TrustQueryConstraint, TrustScores> scores =
        options.runOnStore(
            data.subjects(),
            environment,
            progressPrinter,
            store -> askAll(store, data.questions()));
    EvalTable table = table(scores);
    options.writeReceipts(receipts(scores));
    options.writeJson(jsonTree(data, table));
    PrintWriter out = command.commandLine().getOut();
    out.println(options.commandLine("trust"));
    out.println(sizeText(data));
    out.print(table.terminalText());
    scores.forEach(
        (trustQueryConstraint, asked) -> out.print(missesText(trustQueryConstraint, asked)));
    out.flush();
    return 0;
  }

  private static Map<TrustQueryConstraint, TrustScores> askAll(
      SubjectStore store, List<TrustQuestion> questions) {
    Map<TrustQueryConstraint, TrustScores> scores = new EnumMap<>(TrustQueryConstraint.class);
    for (TrustQueryConstraint trustQueryConstraint : TrustQueryConstraint.values()) {
      scores.put(trustQueryConstraint, TrustScores.ask(store, questions, trustQueryConstraint));
    }
    return scores;
  }

  private static EvalTable table(Map<TrustQueryConstraint, TrustScores> scores) {
    EvalTable table =
        EvalTable.of(
            "Answers",
            "Share of questions whose answer is in the top k, mean reciprocal rank, share of other"
                + " subjects' records in the top ten.",
            "R@1",
            "R@5",
            "R@10",
            "MRR",
            "foreign");
    scores.forEach(
        (trustQueryConstraint, asked) -> asked.addTo(table, trustQueryConstraint.title()));
    return table;
  }

  private static String missesText(TrustQueryConstraint trustQueryConstraint, TrustScores asked) {
    StringBuilder text = new StringBuilder();
    for (TrustAnswer miss : asked.missedAnswers(1)) {
      text.append("  ").append(miss.summary(1)).append('\n');
    }
    return text.isEmpty() ? "" : "\nNot first, " + trustQueryConstraint.title() + "\n" + text;
  }

  private static String sizeText(TrustReader.TrustData data) {
    List<SubjectRecords.RecordedSession> sessions =
        data.subjects().stream().flatMap(each -> each.sessions().stream()).toList();
    return "%,d subjects, %,d notes, %,d turns, %,d artifacts, %,d questions; figures are percentages"
        .formatted(
            data.subjects().size(),
            sessions.stream().mapToInt(recordedSession -> recordedSession.notes().size()).sum(),
            sessions.stream().mapToInt(recordedSession -> recordedSession.turns().size()).sum(),
            sessions.stream().mapToInt(recordedSession -> recordedSession.artifacts().size()).sum(),
            data.questions().size());
  }

  private Map<String, Object> jsonTree(TrustReader.TrustData data, EvalTable table) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", options.commandLine("trust"));
    root.put("size", sizeText(data));
    root.put("tables", List.of(table));
    return root;
  }

  private static List<Map<String, Object>> receipts(Map<TrustQueryConstraint, TrustScores> scores) {
    List<Map<String, Object>> lines = new ArrayList<>();
    scores.forEach(
        (trustQueryConstraint, asked) ->
            asked.answers().forEach(answer -> lines.add(receipt(trustQueryConstraint, answer))));
    return lines;
  }

  private static Map<String, Object> receipt(
      TrustQueryConstraint trustQueryConstraint, TrustAnswer answer) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("given", trustQueryConstraint.title());
    receipt.put("question", answer.question());
    receipt.put("rank", answer.rank().orElse(0));
    receipt.put("hits", answer.hits());
    return receipt;
  }
}
