package dev.caliber.store.search;

import java.util.List;
import java.util.OptionalDouble;

/** Turns a candidate into what the caller sees. */
final class HitMaker {

  private HitMaker() {}

  static SearchHit hit(Candidate candidate, IndexRecipe recipe, Asked asked, Ranking ranking) {
    OptionalDouble raw = candidate.raw(Channel.DENSE);
    return new SearchHit(
        IndexFormatV1.tableOf(candidate.id()),
        IndexFormatV1.keyOf(candidate.id()),
        candidate.score(),
        similarity(raw, recipe, asked),
        raw,
        asked.query().explain() ? ranking.explain(candidate) : List.of());
  }

  private static OptionalDouble similarity(OptionalDouble raw, IndexRecipe recipe, Asked asked) {
    return raw.isEmpty() || asked.model().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Similar.calibrated(recipe, asked.model().get(), raw.getAsDouble()));
  }
}
