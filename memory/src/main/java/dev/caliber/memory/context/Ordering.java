package dev.caliber.memory.context;

import dev.caliber.kernel.config.ContextConfig.Ranking;
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
 * The order in which candidates are offered room. It is total, and depends on neither the budget
 * nor the order in which candidates were found.
 */
final class Ordering {
  private static final Comparator<Ranked> ORDER =
      Comparator.comparing(
              (Ranked ranked) -> ranked.content.candidate().kind() != SourceKind.SYSTEM)
          .thenComparing(ranked -> ranked.content.candidate().priority(), Comparator.reverseOrder())
          .thenComparing(Ranked::value, Comparator.reverseOrder())
          .thenComparing(ranked -> ranked.content.candidate().time(), Comparator.reverseOrder())
          .thenComparing(ranked -> ranked.content.candidate().position(), Comparator.reverseOrder())
          .thenComparing(ranked -> ranked.content.candidate().section())
          .thenComparing(ranked -> ranked.content.candidate().kind())
          .thenComparing(ranked -> ranked.content.candidate().id());

  private final Ranking ranking;
  private final Instant at;
  private final Set<String> dialogues;

  /**
   * @param dialogues sections whose order is that of what was said, whatever the ranking
   */
  Ordering(Ranking ranking, Instant at, Set<String> dialogues) {
    this.ranking = ranking;
    this.at = at;
    this.dialogues = dialogues;
  }

  private record Ranked(Content content, double value) {}

  List<Content> of(List<Content> candidates) {
    Map<String, List<Content>> sections = new LinkedHashMap<>();
    candidates.forEach(
        content ->
            sections
                .computeIfAbsent(content.candidate().section(), _ -> new ArrayList<>())
                .add(content));
    return sections.entrySet().stream()
        .flatMap(section -> ranked(section.getKey(), section.getValue()).stream())
        .sorted(ORDER)
        .map(Ranked::content)
        .toList();
  }

  private List<Ranked> ranked(String name, List<Content> section) {
    boolean plain =
        dialogues.contains(name)
            || (ranking.redundancy() == 0 && ranking.diversity() == 0 && ranking.recency() == 0);
    List<Ranked> byScore =
        section.stream()
            .map(content -> new Ranked(content, content.candidate().scores().rank()))
            .sorted(ORDER)
            .toList();
    return plain ? byScore : chosen(byScore);
  }

  /**
   * One after the other, the one with the greatest value: its share of the best score, more for
   * what is fresh, less for what repeats a chosen one or comes from the same source. Values only
   * fall while choosing, so ordering by them keeps the order of choice.
   */
  private List<Ranked> chosen(List<Ranked> byScore) {
    double best = byScore.stream().mapToDouble(Ranked::value).max().orElse(0);
    List<Open> open =
        new ArrayList<>(byScore.stream().map(ranked -> open(ranked.content, best)).toList());
    Map<String, Integer> uses = new HashMap<>();
    List<Ranked> done = new ArrayList<>();
    while (!open.isEmpty()) {
      Open next = greatest(open, uses);
      open.remove(next);
      done.add(new Ranked(next.content, next.value(uses)));
      uses.merge(next.content.candidate().source(), 1, Integer::sum);
      open.forEach(other -> other.likeness = Math.max(other.likeness, other.likeness(next)));
    }
    return done;
  }

  /** The first of the greatest. */
  private static Open greatest(List<Open> open, Map<String, Integer> uses) {
    Open best = open.getFirst();
    for (Open other : open) {
      if (other.value(uses) > best.value(uses)) {
        best = other;
      }
    }
    return best;
  }

  private Open open(Content content, double best) {
    double share = best > 0 ? content.candidate().scores().rank() / best : 0;
    double ages =
        (double) Math.max(0, Duration.between(content.candidate().time(), at).toMillis())
            / ranking.halfLife().toMillis();
    return new Open(content, share + ranking.recency() * Math.pow(2, -ages));
  }

  /** One that is not chosen yet. */
  private final class Open {
    private final Content content;
    private final double worth;
    private final Set<String> words;
    private double likeness;

    Open(Content content, double worth) {
      this.content = content;
      this.worth = worth;
      this.words = ranking.redundancy() > 0 ? WordSets.of(content.body().words()) : Set.of();
    }

    double value(Map<String, Integer> uses) {
      return worth
          - ranking.redundancy() * likeness
          - ranking.diversity() * uses.getOrDefault(content.candidate().source(), 0);
    }

    double likeness(Open other) {
      return ranking.redundancy() > 0 ? WordSets.likeness(words, other.words) : 0;
    }
  }
}
