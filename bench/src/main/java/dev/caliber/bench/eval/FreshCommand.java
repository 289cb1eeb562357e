package dev.caliber.bench.eval;

import dev.caliber.bench.harness.MeasuredSamples;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.memory.command.RecallFilter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eval fresh}: scores recall right after remembering. */
@Command(
    name = "fresh",
    description = {
      "Checks whether a note is found right after it was remembered: remembers the observations of"
          + " LoCoMo one by one, recalls the second half of each at once, and again when the index"
          + " has every vector. Prints how often the note was first, or had the same rank as later,"
          + " and the time of both calls.",
      ""
    },
    footer = {"", "Example:", "  eval fresh --data locomo-dev5.json --pairs 1000"},
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class FreshCommand implements Callable<Integer> {

  private static final int LIMIT = 10;
  private static final int BEHIND = LIMIT + 1;
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SubjectEvalOptions options = new SubjectEvalOptions();

  @Option(
      names = "--pairs",
      defaultValue = "1000",
      paramLabel = "N",
      description =
          "The maximum number of notes to remember and recall (default: ${DEFAULT-VALUE}).")
  private int pairs = 1;

  FreshCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * One note.
   *
   * @param immediateRank its rank right after it was remembered, from 1; 11 if it is not in the
   *     first ten
   * @param laterRank its rank when every record had its vector
   */
  private record FreshnessSample(String text, int immediateRank, int laterRank) {
    boolean isFirstImmediately() {
      return immediateRank == 1;
    }

    boolean hasSameRankLater() {
      return isFirstImmediately() || immediateRank <= laterRank;
    }
  }

  /** Ranks of the notes, and the times of the calls. */
  private record FreshnessResult(
      List<FreshnessSample> pairs, MeasuredSamples remember, MeasuredSamples recall) {}

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    List<SubjectCorpus> corpora = LocomoSubjectReader.read(options.data());
    FreshnessResult freshnessResult =
        options.runOnStore(
            List.of(),
            environment,
            new ProgressPrinter(command.commandLine().getErr()),
            store -> measure(store, corpora));
    options.writeReceipts(
        freshnessResult.pairs.stream()
            .<Map<String, Object>>map(
                freshnessSample ->
                    Map.of(
                        "text",
                        freshnessSample.text,
                        "at_once",
                        freshnessSample.immediateRank,
                        "later",
                        freshnessSample.laterRank))
            .toList());
    print(freshnessResult, command.commandLine().getOut());
    return 0;
  }

  private FreshnessResult measure(SubjectStore store, List<SubjectCorpus> corpora) {
    FreshnessResult freshnessResult =
        new FreshnessResult(new ArrayList<>(), new MeasuredSamples(), new MeasuredSamples());
    for (SubjectCorpus corpus : corpora) {
      String subject = corpus.records().subject();
      for (SubjectRecords.RecordedSession recordedSession : corpus.records().sessions()) {
        for (SubjectRecords.SubjectNote note : recordedSession.notes()) {
          if (freshnessResult.pairs.size() < pairs) {
            freshnessResult.pairs.add(measureNote(store, subject, note.text(), freshnessResult));
          }
        }
      }
    }
    return freshnessResult;
  }

  private static FreshnessSample measureNote(
      SubjectStore store, String subject, String text, FreshnessResult freshnessResult) {
    String query = secondHalf(text);
    long start = Stopwatch.nanos();
    String id = store.remember(subject, text);
    long remembered = Stopwatch.nanos();
    int atOnce = rank(store, subject, query, id);
    freshnessResult.recall.add(Stopwatch.nanos() - remembered);
    freshnessResult.remember.add(remembered - start);
    store.awaitVectors();
    return new FreshnessSample(text, atOnce, rank(store, subject, query, id));
  }

  private static int rank(SubjectStore store, String subject, String query, String id) {
    List<SubjectHit> hits = store.recall(query, RecallFilter.ofSubject(subject), LIMIT);
    for (int i = 0; i < hits.size(); i++) {
      if (hits.get(i).id().equals(id)) {
        return i + 1;
      }
    }
    return BEHIND;
  }

  private static String secondHalf(String text) {
    List<String> words = List.of(text.strip().split("\\s+"));
    return String.join(" ", words.subList(words.size() / 2, words.size()));
  }

  private void print(FreshnessResult freshnessResult, PrintWriter out) {
    long first = freshnessResult.pairs.stream().filter(FreshnessSample::isFirstImmediately).count();
    long same = freshnessResult.pairs.stream().filter(FreshnessSample::hasSameRankLater).count();
    out.println(options.commandLine("fresh") + " --pairs " + pairs);
    out.println(
        "%,d notes remembered and recalled at once".formatted(freshnessResult.pairs.size()));
    out.println("  first at once                    %,6d".formatted(first));
    out.println("  first, or at least as later      %,6d".formatted(same));
    out.println("  remember, p50 / p99 ms           %s".formatted(times(freshnessResult.remember)));
    out.println("  recall at once, p50 / p99 ms     %s".formatted(times(freshnessResult.recall)));
    freshnessResult.pairs.stream()
        .filter(freshnessSample -> !freshnessSample.hasSameRankLater())
        .forEach(
            freshnessSample ->
                out.println(
                    "  rank %d, later %d: %s"
                        .formatted(
                            freshnessSample.immediateRank,
                            freshnessSample.laterRank,
                            freshnessSample.text)));
    out.flush();
  }

  private static String times(MeasuredSamples measuredSamples) {
    return "%.1f / %.1f"
        .formatted(
            measuredSamples.percentile(0.5) / NANOS_PER_MILLI,
            measuredSamples.percentile(0.99) / NANOS_PER_MILLI);
  }
}
