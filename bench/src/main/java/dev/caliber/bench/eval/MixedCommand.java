package dev.caliber.bench.eval;

import dev.caliber.bench.eval.MixedScores.MixedRun;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.memory.command.RecallFilter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eval mixed}: scores recall in a space of several subjects. */
@Command(
    name = "mixed",
    description = {
      "Scores recall where kinds of records and subjects are mixed: loads all of LoCoMo's"
          + " conversations into one space, each as a subject with its sessions, turns and"
          + " observations as notes, asks every question with the subject and without, and prints"
          + " how much of its evidence was found and whose records came instead.",
      "",
      "All reads and writes use memory's public interface. Settings are those of the starter file.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  eval mixed --data locomo-dev5.json --keep /tmp/mixed --receipts receipts.jsonl"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class MixedCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SubjectEvalOptions options = new SubjectEvalOptions();

  MixedCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    List<SubjectCorpus> corpora = LocomoSubjectReader.read(options.data());
    Map<MixedRun, List<MixedAnswer>> answers =
        options.runOnStore(
            corpora.stream().map(SubjectCorpus::records).toList(),
            environment,
            progressPrinter,
            store -> collectAnswers(store, corpora, progressPrinter));
    List<EvalTable> tables = new MixedScores(answers).tables();
    options.writeReceipts(receipts(answers));
    options.writeJson(jsonTree(corpora, tables));
    PrintWriter out = command.commandLine().getOut();
    out.println(options.commandLine("mixed"));
    out.println(sizeText(corpora));
    tables.forEach(table -> out.print(table.terminalText()));
    out.flush();
    return 0;
  }

  private static Map<MixedRun, List<MixedAnswer>> collectAnswers(
      SubjectStore store, List<SubjectCorpus> corpora, ProgressPrinter progressPrinter) {
    Map<MixedRun, List<MixedAnswer>> answers = new TreeMap<>();
    for (MixedRun run : MixedRun.all()) {
      progressPrinter.printLine(run.title());
      List<MixedAnswer> all = new ArrayList<>();
      for (SubjectCorpus corpus : corpora) {
        String subject = corpus.records().subject();
        RecallFilter filter =
            run.kinds().filter(run.named() ? RecallFilter.ofSubject(subject) : RecallFilter.any());
        for (EvalQuestion question : corpus.questions()) {
          all.add(
              new MixedAnswer(
                  subject, question, store.recall(question.text(), filter, MixedScores.DEPTH)));
        }
      }
      answers.put(run, all);
    }
    return answers;
  }

  private static String sizeText(List<SubjectCorpus> corpora) {
    List<SubjectRecords.RecordedSession> sessions =
        corpora.stream().flatMap(corpus -> corpus.records().sessions().stream()).toList();
    return "%,d subjects, %,d sessions, %,d turns, %,d notes, %,d questions; shares are percentages"
        .formatted(
            corpora.size(),
            sessions.size(),
            sessions.stream().mapToInt(recordedSession -> recordedSession.turns().size()).sum(),
            sessions.stream().mapToInt(recordedSession -> recordedSession.notes().size()).sum(),
            corpora.stream().mapToInt(corpus -> corpus.questions().size()).sum());
  }

  private Map<String, Object> jsonTree(List<SubjectCorpus> corpora, List<EvalTable> tables) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", options.commandLine("mixed"));
    root.put("size", sizeText(corpora));
    root.put("tables", tables);
    return root;
  }

  private static List<Map<String, Object>> receipts(Map<MixedRun, List<MixedAnswer>> answers) {
    List<Map<String, Object>> lines = new ArrayList<>();
    answers.forEach((run, all) -> all.forEach(answer -> lines.add(receipt(run, answer))));
    return lines;
  }

  private static Map<String, Object> receipt(MixedRun run, MixedAnswer answer) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("kinds", run.kinds().title());
    receipt.put("subject_given", run.named());
    receipt.put("subject", answer.subject());
    receipt.put("question_id", answer.question().id());
    receipt.put("question", answer.question().text());
    receipt.put("category", answer.question().category());
    receipt.put("gold", new TreeSet<>(answer.question().gold().keySet()));
    receipt.put("hits", answer.hits());
    return receipt;
  }
}
