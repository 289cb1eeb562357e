package dev.caliber.store.search;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * A hit speaks for the documents that it links to, and more softly for those that they link to. The
 * loudest voice counts, so that many weak links make no strong one.
 */
final class LinksChannel {

  private final SearchConfig.Ranking rules;
  private final Links links;

  LinksChannel(IndexSearcher searcher, SearchConfig.Ranking rules) {
    this.rules = rules;
    this.links = new Links(searcher, rules.linkLimit());
  }

  /** What the hits reach, the best hit's first, at most as many as a channel may bring. */
  Set<Integer> around(List<Candidate> hits) throws IOException {
    Set<Integer> around = new TreeSet<>();
    for (Candidate hit : hits) {
      reach(hit.document()).keySet().stream()
          .limit(rules.candidates() - around.size())
          .forEach(around::add);
    }
    return around;
  }

  /** Gives every candidate that a hit reaches the greatest share that one of them hands on. */
  void score(List<Candidate> hits, Collection<Candidate> candidates) throws IOException {
    Map<Integer, Candidate> known = new HashMap<>();
    candidates.forEach(candidate -> known.put(candidate.document(), candidate));
    for (Candidate hit : hits) {
      reach(hit.document()).forEach((document, hop) -> hand(hit, known.get(document), hop));
    }
  }

  private void hand(Candidate hit, @Nullable Candidate to, int hop) {
    double share = hit.fused() * Math.pow(rules.decay(), hop - 1);
    if (to != null && share > to.raw(Channel.LINKS).orElse(0)) {
      to.raw(Channel.LINKS, share);
    }
  }

  /** Documents and how many hops they are away, the start left out. */
  private Map<Integer, Integer> reach(int start) throws IOException {
    Map<Integer, Integer> reached = new LinkedHashMap<>();
    Set<Integer> ring = Set.of(start);
    for (int hop = 1; hop <= rules.linkHops() && !ring.isEmpty(); hop++) {
      ring = next(ring, reached, start);
      for (int document : ring) {
        reached.put(document, hop);
      }
    }
    return reached;
  }

  private Set<Integer> next(Set<Integer> ring, Map<Integer, Integer> reached, int start)
      throws IOException {
    Set<Integer> next = new LinkedHashSet<>();
    for (int document : ring) {
      next.addAll(links.of(document));
    }
    next.removeAll(reached.keySet());
    next.remove(start);
    return next;
  }
}
