package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Channel that raises all documents of a session by its best ones. */
final class SessionChannel {

  private final SearchConfig.SearchRankingSettings rules;

  SessionChannel(SearchConfig.SearchRankingSettings rules) {
    this.rules = rules;
  }

  void score(Collection<SearchCandidate> candidates) {
    Map<String, List<SearchCandidate>> sessions = new HashMap<>();
    for (SearchCandidate searchCandidate : candidates) {
      searchCandidate
          .sequencePosition()
          .group()
          .ifPresent(
              group ->
                  sessions.computeIfAbsent(group, _ -> new ArrayList<>()).add(searchCandidate));
    }
    sessions.values().forEach(this::scoreSession);
  }

  private void scoreSession(List<SearchCandidate> members) {
    double best =
        members.stream()
            .sorted(SearchCandidate.BY_FUSED)
            .limit(rules.sessionDocuments())
            .mapToDouble(SearchCandidate::fusedScore)
            .sum();
    members.forEach(
        member -> member.setRaw(SearchChannel.SESSION, best / rules.sessionDocuments()));
  }
}
