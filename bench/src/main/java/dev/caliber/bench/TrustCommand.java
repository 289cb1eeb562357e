package dev.caliber.bench;

import dev.caliber.bench.TrustScores.Given;
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

/** {@code eval trust}. */
@Command(
    name = "trust",
    description = {
      "Whether the right record comes first: loads notes, chats and artifacts of one or several"
          + " people into one space, asks their questions with the subject and without, and prints"
          + " how often the answer was found, and what came first instead.",
      "",
      "Everything goes through memory as users have it. Settings are those of the starter file.",
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
    Progress progress = new Progress(command.commandLine().getErr());
    TrustReader.TrustData data = TrustReader.read(options.data());
    Map<Given, TrustScores> scores =
        options.ask(data.subjects(), environment, progress, store -> ask(store, data.questions()));
    EvalTable table = table(scores);
    options.writeReceipts(receipts(scores));
    options.writeJson(tree(data, table));
    PrintWriter out = command.commandLine().getOut();
    out.println(options.commandLine("trust"));
    out.println(size(data));
    out.print(table.terminal());
    scores.forEach((given, asked) -> out.print(misses(given, asked)));
    out.flush();
    return 0;
  }

  private static Map<Given, TrustScores> ask(SubjectStore store, List<TrustQuestion> questions) {
    Map<Given, TrustScores> scores = new EnumMap<>(Given.class);
    for (Given given : Given.values()) {
      scores.put(given, TrustScores.ask(store, questions, given));
    }
    return scores;
  }

  private static EvalTable table(Map<Given, TrustScores> scores) {
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
    scores.forEach((given, asked) -> asked.addTo(table, given.title()));
    return table;
  }

  private static String misses(Given given, TrustScores asked) {
    StringBuilder text = new StringBuilder();
    for (TrustAnswer miss : asked.misses(1)) {
      text.append("  ").append(miss.text(1)).append('\n');
    }
    return text.isEmpty() ? "" : "\nNot first, " + given.title() + "\n" + text;
  }

  private static String size(TrustReader.TrustData data) {
    List<SubjectRecords.Session> sessions =
        data.subjects().stream().flatMap(each -> each.sessions().stream()).toList();
    return "%,d subjects, %,d notes, %,d turns, %,d artifacts, %,d questions; figures are percentages"
        .formatted(
            data.subjects().size(),
            sessions.stream().mapToInt(session -> session.notes().size()).sum(),
            sessions.stream().mapToInt(session -> session.turns().size()).sum(),
            sessions.stream().mapToInt(session -> session.artifacts().size()).sum(),
            data.questions().size());
  }

  private Map<String, Object> tree(TrustReader.TrustData data, EvalTable table) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", options.commandLine("trust"));
    root.put("size", size(data));
    root.put("tables", List.of(table));
    return root;
  }

  private static List<Map<String, Object>> receipts(Map<Given, TrustScores> scores) {
    List<Map<String, Object>> lines = new ArrayList<>();
    scores.forEach(
        (given, asked) -> asked.answers().forEach(answer -> lines.add(receipt(given, answer))));
    return lines;
  }

  private static Map<String, Object> receipt(Given given, TrustAnswer answer) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("given", given.title());
    receipt.put("question", answer.question());
    receipt.put("rank", answer.rank().orElse(0));
    receipt.put("hits", answer.hits());
    return receipt;
  }
}
