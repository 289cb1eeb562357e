package dev.caliber.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What recall found for a question of a subject. */
record TrustAnswer(TrustQuestion question, List<SubjectHit> hits) {
  TrustAnswer {
    hits = List.copyOf(hits);
  }

  /** The place of the first hit that answers, from 1 on. */
  OptionalInt rank() {
    return IntStream.rangeClosed(1, hits.size())
        .filter(place -> question.isAnsweredBy(hits.get(place - 1)))
        .findFirst();
  }

  boolean isWithin(int k) {
    return rank().orElse(Integer.MAX_VALUE) <= k;
  }

  /** How many of the first k belong to another subject. */
  long foreign(int k) {
    return hits.stream().limit(k).filter(hit -> !hit.subject().equals(question.subject())).count();
  }

  /** The question, the place of its answer, and what came first. */
  String text(int most) {
    String head =
        "%s asks \"%s\": the %s with \"%s\" is %s"
            .formatted(
                question.subject(),
                question.query(),
                question.kind().word(),
                question.expects(),
                rank().isPresent() ? "number " + rank().getAsInt() : "not found");
    return hits.stream()
        .limit(most)
        .map(
            hit ->
                String.format(
                    Locale.ROOT,
                    "%n    %.3f %s of %s: %s",
                    hit.score(),
                    hit.kind().word(),
                    hit.subject(),
                    hit.text().replace('\n', ' ')))
        .collect(Collectors.joining("", head, ""));
  }
}
