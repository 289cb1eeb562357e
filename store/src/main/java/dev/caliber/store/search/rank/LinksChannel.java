package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
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
 * Channel that raises the documents to which a hit links, and less those to which they link in
 * turn. The highest score counts, so that many weak links do not add up to a strong one.
 */
final class LinksChannel {

  private final SearchConfig.SearchRankingSettings rules;
  private final DocumentLinks documentLinks;

  LinksChannel(IndexSearcher searcher, SearchConfig.SearchRankingSettings rules) {
    this.rules = rules;
    this.documentLinks = new DocumentLinks(searcher, rules.linkLimit());
  }

  /** Returns the documents reached from the hits, the best hit's first, up to a channel's limit. */
  Set<Integer> linkedDocuments(List<SearchCandidate> hits) throws IOException {
    Set<Integer> around = new TreeSet<>();
    for (SearchCandidate hit : hits) {
      reachableDocuments(hit.document()).keySet().stream()
          .limit(rules.candidates() - around.size())
          .forEach(around::add);
    }
    return around;
  }

  /** Gives every candidate reached from hits the greatest share that one of them passes on. */
  void score(List<SearchCandidate> hits, Collection<SearchCandidate> candidates)
      throws IOException {
    Map<Integer, SearchCandidate> known = new HashMap<>();
    candidates.forEach(searchCandidate -> known.put(searchCandidate.document(), searchCandidate));
    for (SearchCandidate hit : hits) {
      reachableDocuments(hit.document())
          .forEach((document, hop) -> raiseScore(hit, known.get(document), hop));
    }
  }

  private void raiseScore(SearchCandidate hit, @Nullable SearchCandidate to, int hop) {
    double share = hit.fusedScore() * Math.pow(rules.distanceDecay(), hop - 1);
    if (to != null && share > to.rawScore(SearchChannel.LINKS).orElse(0)) {
      to.setRaw(SearchChannel.LINKS, share);
    }
  }

  /** Returns the reachable documents and their distances in hops, without the start. */
  private Map<Integer, Integer> reachableDocuments(int start) throws IOException {
    Map<Integer, Integer> reached = new LinkedHashMap<>();
    Set<Integer> ring = Set.of(start);
    for (int hop = 1; hop <= rules.linkHops() && !ring.isEmpty(); hop++) {
      ring = nextHop(ring, reached, start);
      for (int document : ring) {
        reached.put(document, hop);
      }
    }
    return reached;
  }

  private Set<Integer> nextHop(Set<Integer> ring, Map<Integer, Integer> reached, int start)
      throws IOException {
    Set<Integer> next = new LinkedHashSet<>();
    for (int document : ring) {
      next.addAll(documentLinks.linkedDocuments(document));
    }
    next.removeAll(reached.keySet());
    next.remove(start);
    return next;
  }
}
