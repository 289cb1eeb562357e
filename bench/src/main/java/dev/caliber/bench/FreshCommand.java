package dev.caliber.bench;

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

/** {@code eval fresh}. */
@Command(
    name = "fresh",
    description = {
      "Whether a note is found right after it was remembered: remembers the observations of LoCoMo"
          + " one by one, recalls the second half of each at once, and once more when the index"
          + " has every vector. Prints how often the note was first, or had the same rank as"
          + " later, and the time of both calls.",
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
          "How many notes are remembered and recalled at the most (default: ${DEFAULT-VALUE}).")
  private int pairs = 1;

  FreshCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * One note.
   *
   * @param atOnce its rank right after it was remembered, from 1; 11 if it is not in the first ten
   * @param later its rank when every record had its vector
   */
  private record Pair(String text, int atOnce, int later) {
    boolean isFirst() {
      return atOnce == 1;
    }

    boolean isAsLater() {
      return isFirst() || atOnce <= later;
    }
  }

  /** What was found, and how long the calls took. */
  private record Found(List<Pair> pairs, Samples remember, Samples recall) {}

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    List<SubjectCorpus> corpora = LocomoSubjects.read(options.data());
    Found found =
        options.ask(
            List.of(),
            environment,
            new Progress(command.commandLine().getErr()),
            store -> measure(store, corpora));
    options.writeReceipts(
        found.pairs.stream()
            .<Map<String, Object>>map(
                pair -> Map.of("text", pair.text, "at_once", pair.atOnce, "later", pair.later))
            .toList());
    print(found, command.commandLine().getOut());
    return 0;
  }

  private Found measure(SubjectStore store, List<SubjectCorpus> corpora) {
    Found found = new Found(new ArrayList<>(), new Samples(), new Samples());
    for (SubjectCorpus corpus : corpora) {
      String subject = corpus.records().subject();
      for (SubjectRecords.Session session : corpus.records().sessions()) {
        for (SubjectRecords.SubjectNote note : session.notes()) {
          if (found.pairs.size() < pairs) {
            found.pairs.add(pair(store, subject, note.text(), found));
          }
        }
      }
    }
    return found;
  }

  private static Pair pair(SubjectStore store, String subject, String text, Found found) {
    String query = secondHalf(text);
    long start = Stopwatch.nanos();
    String id = store.remember(subject, text);
    long remembered = Stopwatch.nanos();
    int atOnce = rank(store, subject, query, id);
    found.recall.add(Stopwatch.nanos() - remembered);
    found.remember.add(remembered - start);
    store.awaitVectors();
    return new Pair(text, atOnce, rank(store, subject, query, id));
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

  private void print(Found found, PrintWriter out) {
    long first = found.pairs.stream().filter(Pair::isFirst).count();
    long same = found.pairs.stream().filter(Pair::isAsLater).count();
    out.println(options.commandLine("fresh") + " --pairs " + pairs);
    out.println("%,d notes remembered and recalled at once".formatted(found.pairs.size()));
    out.println("  first at once                    %,6d".formatted(first));
    out.println("  first, or at least as later      %,6d".formatted(same));
    out.println("  remember, p50 / p99 ms           %s".formatted(times(found.remember)));
    out.println("  recall at once, p50 / p99 ms     %s".formatted(times(found.recall)));
    found.pairs.stream()
        .filter(pair -> !pair.isAsLater())
        .forEach(
            pair ->
                out.println(
                    "  rank %d, later %d: %s".formatted(pair.atOnce, pair.later, pair.text)));
    out.flush();
  }

  private static String times(Samples samples) {
    return "%.1f / %.1f"
        .formatted(
            samples.percentile(0.5) / NANOS_PER_MILLI, samples.percentile(0.99) / NANOS_PER_MILLI);
  }
}
