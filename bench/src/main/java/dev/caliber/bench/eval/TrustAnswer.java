package dev.caliber.bench.eval;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The hits of recall for a question of a subject. */
record TrustAnswer(TrustQuestion question, List<SubjectHit> hits) {
  TrustAnswer {
    hits = List.copyOf(hits);
  }

  /** Returns the rank of the first hit that answers, from 1 on. */
  OptionalInt rank() {
    return IntStream.rangeClosed(1, hits.size())
        .filter(place -> question.isAnsweredBy(hits.get(place - 1)))
        .findFirst();
  }

  boolean isWithin(int k) {
    return rank().orElse(Integer.MAX_VALUE) <= k;
  }

  /** Returns the number of the first k hits that belong to another subject. */
  long foreignHits(int k) {
    return hits.stream().limit(k).filter(hit -> !hit.subject().equals(question.subject())).count();
  }

  /** Returns the question, the rank of its answer, and the first hits. */
  String summary(int most) {
    String head =
        "%s asks \"%s\": the %s with \"%s\" is %s"
            .formatted(
                question.subject(),
                question.query(),
                question.kind().lowerCaseName(),
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
                    hit.kind().lowerCaseName(),
                    hit.subject(),
                    hit.text().replace('\n', ' ')))
        .collect(Collectors.joining("", head, ""));
  }
}
