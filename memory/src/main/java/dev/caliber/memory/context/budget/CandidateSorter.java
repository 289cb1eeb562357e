package dev.caliber.memory.context.budget;

import dev.caliber.kernel.config.ContextConfig.WindowRankingSettings;
import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.text.WordSets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Total order in which candidates are offered room. It depends neither on the budget nor on the
 * order in which candidates were found.
 */
public final class CandidateSorter {
  private static final Comparator<RankedContent> ORDER =
      Comparator.comparing(
              (RankedContent rankedContent) ->
                  rankedContent.content.candidate().kind() != SourceKind.SYSTEM)
          .thenComparing(
              rankedContent -> rankedContent.content.candidate().priority(),
              Comparator.reverseOrder())
          .thenComparing(RankedContent::value, Comparator.reverseOrder())
          .thenComparing(
              rankedContent -> rankedContent.content.candidate().time(), Comparator.reverseOrder())
          .thenComparing(
              rankedContent -> rankedContent.content.candidate().position(),
              Comparator.reverseOrder())
          .thenComparing(rankedContent -> rankedContent.content.candidate().section())
          .thenComparing(rankedContent -> rankedContent.content.candidate().kind())
          .thenComparing(rankedContent -> rankedContent.content.candidate().id());

  private final WindowRankingSettings windowRankingSettings;
  private final Instant at;
  private final Set<String> dialogues;

  /**
   * @param dialogues sections that keep the order of the conversation, whatever the ranking
   */
  public CandidateSorter(
      WindowRankingSettings windowRankingSettings, Instant at, Set<String> dialogues) {
    this.windowRankingSettings = windowRankingSettings;
    this.at = at;
    this.dialogues = dialogues;
  }

  private record RankedContent(CandidateContent content, double value) {}

  public List<CandidateContent> sort(List<CandidateContent> candidates) {
    Map<String, List<CandidateContent>> sections = new LinkedHashMap<>();
    candidates.forEach(
        candidateContent ->
            sections
                .computeIfAbsent(candidateContent.candidate().section(), _ -> new ArrayList<>())
                .add(candidateContent));
    return sections.entrySet().stream()
        .flatMap(section -> sortSection(section.getKey(), section.getValue()).stream())
        .sorted(ORDER)
        .map(RankedContent::content)
        .toList();
  }

  private List<RankedContent> sortSection(String name, List<CandidateContent> section) {
    boolean plain =
        dialogues.contains(name)
            || (windowRankingSettings.redundancy() == 0
                && windowRankingSettings.diversity() == 0
                && windowRankingSettings.recency() == 0);
    List<RankedContent> byScore =
        section.stream()
            .map(
                candidateContent ->
                    new RankedContent(
                        candidateContent, candidateContent.candidate().scores().sortScore()))
            .sorted(ORDER)
            .toList();
    return plain ? byScore : rankByMarginalRelevance(byScore);
  }

  /**
   * Selects the candidate with the greatest value repeatedly: its share of the best score, plus a
   * bonus for recent ones, minus a penalty for candidates that repeat a selected one or have its
   * source. Values only fall during selection, so sorting by them keeps the order of selection.
   */
  private List<RankedContent> rankByMarginalRelevance(List<RankedContent> byScore) {
    double best = byScore.stream().mapToDouble(RankedContent::value).max().orElse(0);
    List<UnrankedContent> open =
        new ArrayList<>(
            byScore.stream()
                .map(rankedContent -> newUnranked(rankedContent.content, best))
                .toList());
    Map<String, Integer> uses = new HashMap<>();
    List<RankedContent> done = new ArrayList<>();
    while (!open.isEmpty()) {
      UnrankedContent next = highestValued(open, uses);
      open.remove(next);
      done.add(new RankedContent(next.candidateContent, next.value(uses)));
      uses.merge(next.candidateContent.candidate().source(), 1, Integer::sum);
      open.forEach(other -> other.likeness = Math.max(other.likeness, other.similarityTo(next)));
    }
    return done;
  }

  /** Returns the first one with the greatest value. */
  private static UnrankedContent highestValued(
      List<UnrankedContent> open, Map<String, Integer> uses) {
    UnrankedContent best = open.getFirst();
    for (UnrankedContent other : open) {
      if (other.value(uses) > best.value(uses)) {
        best = other;
      }
    }
    return best;
  }

  private UnrankedContent newUnranked(CandidateContent candidateContent, double best) {
    double share = best > 0 ? candidateContent.candidate().scores().sortScore() / best : 0;
    double ages =
        (double) Math.max(0, Duration.between(candidateContent.candidate().time(), at).toMillis())
            / windowRankingSettings.halfLife().toMillis();
    return new UnrankedContent(
        candidateContent, share + windowRankingSettings.recency() * Math.pow(2, -ages));
  }

  /** Candidate that is not selected yet. */
  private final class UnrankedContent {
    private final CandidateContent candidateContent;
    private final double worth;
    private final Set<String> words;
    private double likeness;

    UnrankedContent(CandidateContent candidateContent, double worth) {
      this.candidateContent = candidateContent;
      this.worth = worth;
      this.words =
          windowRankingSettings.redundancy() > 0
              ? WordSets.wordsOf(candidateContent.body().plainText())
              : Set.of();
    }

    double value(Map<String, Integer> uses) {
      return worth
          - windowRankingSettings.redundancy() * likeness
          - windowRankingSettings.diversity()
              * uses.getOrDefault(candidateContent.candidate().source(), 0);
    }

    double similarityTo(UnrankedContent other) {
      return windowRankingSettings.redundancy() > 0 ? WordSets.similarity(words, other.words) : 0;
    }
  }
}
