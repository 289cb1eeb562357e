package dev.caliber.bench;

import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Recall and rate of search beside raw Lucene and simpler things, and what it costs to keep. */
final class SearchBench {

  private static final int HITS = 10;
  private static final int QUESTIONS = 1_000;
  private static final int RECALL_QUESTIONS = 200;
  private static final double MEDIAN = 0.5;
  private static final double TAIL = 0.95;
  private static final double RECALL = 0.99;
  private static final double OF_LUCENE = 0.6;
  private static final double FILTERED = 2;
  private static final double HYBRID_MILLIS = 5;
  private static final List<Integer> CANDIDATES =
      List.of(10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300);

  private final Knobs knobs;
  private final Places places;
  private final Progress progress;
  private final AtomicInteger next = new AtomicInteger();

  SearchBench(Knobs knobs, Places places, Progress progress) {
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  /** The main size: everything. */
  void measure(Report report, int size) {
    Corpus corpus = new Corpus(size);
    progress.part("loading %,d documents".formatted(size));
    long before = usedHeap();
    try (SearchRig rig = SearchRig.load(corpus, places.fresh(EngineName.SQLITE), progress)) {
      long heap = usedHeap() - before;
      String part = "%,d documents of %d dimensions".formatted(size, Corpus.DIMENSIONS);
      keeping(report.section(part, "keeping it"), rig, heap);
      PlainScan exact = new PlainScan(corpus);
      progress.part("loading raw Lucene");
      try (RawLucene lucene = new RawLucene(places.directory("lucene"), corpus)) {
        dense(report.section(part, "by vector"), rig, lucene, exact);
      }
      peers(report.section(part, "beside it"), rig, exact);
      hybrid(report.section(part, "hybrid, without embedding the query"), rig);
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void keeping(Report.Section section, SearchRig rig, long heap) {
    SearchStatus status = rig.status();
    double documents = status.documents();
    section.add("documents", documents, Figure.Unit.COUNT);
    section.add("rebuild, words only", rig.lexicalRate(), Figure.Unit.PER_SECOND);
    section.add("rebuild, words and vectors", rig.denseRate(), Figure.Unit.PER_SECOND);
    section.add("bytes on disk per document", status.bytes() / documents, Figure.Unit.COUNT);
    section.add(
        "bytes of heap per document, store included",
        Math.max(0, heap) / documents,
        Figure.Unit.COUNT);
  }

  private void dense(Report.Section section, SearchRig rig, RawLucene lucene, PlainScan exact) {
    List<Set<String>> truth = truth(rig.corpus(), exact);
    double ours = recall(truth, question -> keys(rig.dense(question, HITS)));
    section.add("recall@10, Caliber", ours, Figure.Unit.RATIO, Figure.Bar.atLeast(RECALL));
    int candidates = candidates(rig.corpus(), lucene, truth, ours);
    section.add(
        "recall@10, Lucene with %d candidates".formatted(candidates),
        recall(
            truth, question -> lucene.nearest(rig.corpus().question(question), HITS, candidates)),
        Figure.Unit.RATIO);
    progress.part("by vector");
    Contest contest = new Contest(Contest.FINE);
    enter(contest, "Caliber", question -> rig.dense(question, HITS));
    enter(
        contest,
        "Lucene",
        question -> lucene.nearest(rig.corpus().question(question), HITS, candidates));
    enter(contest, "filtered to 1 %", question -> rig.filtered(question, HITS));
    contest.run(knobs, progress);
    rates(section, contest, List.of("Caliber", "Lucene", "filtered to 1 %"));
    section.add(
        "Caliber to Lucene",
        contest.ratio("Caliber", "Lucene"),
        Figure.Unit.RATIO,
        Figure.Bar.atLeast(OF_LUCENE));
    section.add(
        "filtered, time to unfiltered",
        contest.ratio("Caliber", "filtered to 1 %"),
        Figure.Unit.RATIO,
        Figure.Bar.below(FILTERED));
  }

  private static List<Set<String>> truth(Corpus corpus, PlainScan exact) {
    List<Set<String>> truth = new ArrayList<>();
    for (int i = 0; i < RECALL_QUESTIONS; i++) {
      truth.add(exact.nearest(corpus.question(i), HITS));
    }
    return truth;
  }

  private static double recall(List<Set<String>> truth, IntFunction<Set<String>> answer) {
    double found = 0;
    for (int i = 0; i < truth.size(); i++) {
      Set<String> common = answer.apply(i);
      found += truth.get(i).stream().filter(common::contains).count();
    }
    return found / (truth.size() * (double) HITS);
  }

  private static Set<String> keys(List<SearchHit> hits) {
    return hits.stream().map(SearchHit::key).collect(Collectors.toSet());
  }

  /** The fewest candidates with which Lucene finds as much as we do. */
  private static int candidates(
      Corpus corpus, RawLucene lucene, List<Set<String>> truth, double wanted) {
    for (int candidates : CANDIDATES) {
      double found =
          recall(truth, question -> lucene.nearest(corpus.question(question), HITS, candidates));
      if (found >= wanted) {
        return candidates;
      }
    }
    return CANDIDATES.getLast();
  }

  private void enter(Contest contest, String name, IntConsumer question) {
    contest.enter(
        name, time -> Load.alone(time, _ -> question.accept(next.getAndIncrement() % QUESTIONS)));
  }

  private static void rates(Report.Section section, Contest contest, List<String> names) {
    for (String name : names) {
      Measured total = contest.total(name);
      section.add(name, total.perSecond(), Figure.Unit.PER_SECOND);
      section.add(name + ", p50", total.millis(MEDIAN), Figure.Unit.MILLIS);
    }
  }

  private void peers(Report.Section section, SearchRig rig, PlainScan exact) {
    LangChainStore langchain = new LangChainStore(rig.corpus(), exact);
    progress.part("beside it");
    Contest contest = new Contest(1);
    enter(contest, "Caliber", question -> rig.dense(question, HITS));
    enter(
        contest,
        "plain exact scan",
        question -> exact.nearest(rig.corpus().question(question), HITS));
    enter(
        contest,
        "LangChain4j in memory",
        question -> langchain.nearest(rig.corpus().question(question), HITS));
    contest.run(knobs, progress);
    rates(section, contest, List.of("Caliber", "plain exact scan", "LangChain4j in memory"));
  }

  private void hybrid(Report.Section section, SearchRig rig) {
    progress.part("hybrid");
    Contest contest = new Contest(Contest.FINE);
    enter(contest, "all channels", question -> rig.hybrid(question, HITS));
    enter(contest, "words only", question -> rig.words(question, HITS));
    contest.run(knobs, progress);
    Measured all = contest.total("all channels");
    section.add(
        "all channels, p50",
        all.millis(MEDIAN),
        Figure.Unit.MILLIS,
        Figure.Bar.below(HYBRID_MILLIS));
    section.add("all channels, p95", all.millis(TAIL), Figure.Unit.MILLIS);
    section.add("all channels", all.perSecond(), Figure.Unit.PER_SECOND);
    section.add("words only, p50", contest.total("words only").millis(MEDIAN), Figure.Unit.MILLIS);
  }

  /** The same queries on indexes of several sizes. */
  void grow(Report report, List<Integer> sizes) {
    Map<String, SearchRig> rigs = new LinkedHashMap<>();
    try {
      for (int size : sizes) {
        String name = "%,d documents".formatted(size);
        progress.part("loading " + name);
        rigs.put(name, SearchRig.load(new Corpus(size), places.fresh(EngineName.SQLITE), progress));
      }
      Contest dense = new Contest(Contest.FINE);
      rigs.forEach((name, rig) -> enter(dense, name, question -> rig.dense(question, HITS)));
      growth(report.section("growth", "by vector"), dense.run(knobs, progress), rigs);
      Contest hybrid = new Contest(Contest.FINE);
      rigs.forEach((name, rig) -> enter(hybrid, name, question -> rig.hybrid(question, HITS)));
      growth(report.section("growth", "hybrid"), hybrid.run(knobs, progress), rigs);
    } finally {
      rigs.values().forEach(SearchRig::close);
    }
  }

  private static void growth(Report.Section section, Contest contest, Map<String, SearchRig> rigs) {
    List<String> names = List.copyOf(rigs.keySet());
    rates(section, contest, names);
    section.add(
        "growth from %s to %s".formatted(names.getFirst(), names.getLast()),
        contest.ratio(names.getFirst(), names.getLast()),
        Figure.Unit.RATIO);
  }
}
