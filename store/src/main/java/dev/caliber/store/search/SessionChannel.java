package dev.caliber.store.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The best documents of a session speak for all of it. */
final class SessionChannel {

  private final SearchConfig.Ranking rules;

  SessionChannel(SearchConfig.Ranking rules) {
    this.rules = rules;
  }

  void score(Collection<Candidate> candidates) {
    Map<String, List<Candidate>> sessions = new HashMap<>();
    for (Candidate candidate : candidates) {
      candidate
          .place()
          .group()
          .ifPresent(
              group -> sessions.computeIfAbsent(group, _ -> new ArrayList<>()).add(candidate));
    }
    sessions.values().forEach(this::scoreSession);
  }

  private void scoreSession(List<Candidate> members) {
    double best =
        members.stream()
            .sorted(Candidate.BY_FUSED)
            .limit(rules.sessionBest())
            .mapToDouble(Candidate::fused)
            .sum();
    members.forEach(member -> member.raw(Channel.SESSION, best / rules.sessionBest()));
  }
}
