package dev.caliber.bench.search;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
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

/** Measures recall, rate and cost of search, compared with raw Lucene and simpler methods. */
public final class SearchBench {

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

  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;
  private final AtomicInteger next = new AtomicInteger();

  public SearchBench(
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  /** Measures everything at the main size. */
  public void measure(BenchReport benchReport, int size) {
    SearchCorpus searchCorpus = new SearchCorpus(size);
    progressPrinter.startPart("loading %,d documents".formatted(size));
    long before = usedHeap();
    try (BenchSearchIndex rig =
        BenchSearchIndex.load(
            searchCorpus, benchLocations.newEngine(BenchEngine.SQLITE), progressPrinter)) {
      long heap = usedHeap() - before;
      String part = "%,d documents of %d dimensions".formatted(size, SearchCorpus.DIMENSIONS);
      measureUpkeep(benchReport.section(part, "cost of the index"), rig, heap);
      BruteForceScan exact = new BruteForceScan(searchCorpus);
      progressPrinter.startPart("loading raw Lucene");
      try (RawLucene lucene = new RawLucene(benchLocations.directory("lucene"), searchCorpus)) {
        measureDense(benchReport.section(part, "by vector"), rig, lucene, exact);
      }
      measurePeers(benchReport.section(part, "compared with others"), rig, exact);
      measureHybrid(benchReport.section(part, "hybrid, without embedding the query"), rig);
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void measureUpkeep(
      BenchReport.ReportSection reportSection, BenchSearchIndex rig, long heap) {
    SearchStatus status = rig.status();
    double documents = status.documents();
    reportSection.add("documents", documents, Figure.FigureUnit.COUNT);
    reportSection.add(
        "rebuild, words only", rig.lexicalRebuildRate(), Figure.FigureUnit.PER_SECOND);
    reportSection.add(
        "rebuild, words and vectors", rig.denseRebuildRate(), Figure.FigureUnit.PER_SECOND);
    reportSection.add(
        "bytes on disk per document", status.bytes() / documents, Figure.FigureUnit.COUNT);
    reportSection.add(
        "bytes of heap per document, store included",
        Math.max(0, heap) / documents,
        Figure.FigureUnit.COUNT);
  }

  private void measureDense(
      BenchReport.ReportSection reportSection,
      BenchSearchIndex rig,
      RawLucene lucene,
      BruteForceScan exact) {
    List<Set<String>> truth = groundTruth(rig.corpus(), exact);
    double ours = meanRecall(truth, question -> keys(rig.searchDense(question, HITS)));
    reportSection.add(
        "recall@10, Caliber", ours, Figure.FigureUnit.RATIO, Figure.FigureTarget.atLeast(RECALL));
    int candidates = candidatesForRecall(rig.corpus(), lucene, truth, ours);
    reportSection.add(
        "recall@10, Lucene with %d candidates".formatted(candidates),
        meanRecall(
            truth,
            question -> lucene.nearest(rig.corpus().questionVector(question), HITS, candidates)),
        Figure.FigureUnit.RATIO);
    progressPrinter.startPart("by vector");
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE);
    addContender(interleavedMeasurement, "Caliber", question -> rig.searchDense(question, HITS));
    addContender(
        interleavedMeasurement,
        "Lucene",
        question -> lucene.nearest(rig.corpus().questionVector(question), HITS, candidates));
    addContender(
        interleavedMeasurement,
        "filtered to 1 %",
        question -> rig.searchDenseFiltered(question, HITS));
    interleavedMeasurement.run(measurementSettings, progressPrinter);
    addRates(
        reportSection, interleavedMeasurement, List.of("Caliber", "Lucene", "filtered to 1 %"));
    reportSection.add(
        "Caliber to Lucene",
        interleavedMeasurement.medianRateRatio("Caliber", "Lucene"),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.atLeast(OF_LUCENE));
    reportSection.add(
        "filtered, time to unfiltered",
        interleavedMeasurement.medianRateRatio("Caliber", "filtered to 1 %"),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.below(FILTERED));
  }

  private static List<Set<String>> groundTruth(SearchCorpus searchCorpus, BruteForceScan exact) {
    List<Set<String>> truth = new ArrayList<>();
    for (int i = 0; i < RECALL_QUESTIONS; i++) {
      truth.add(exact.nearest(searchCorpus.questionVector(i), HITS));
    }
    return truth;
  }

  private static double meanRecall(List<Set<String>> truth, IntFunction<Set<String>> answer) {
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

  /** Returns the fewest candidates with which Lucene reaches our recall. */
  private static int candidatesForRecall(
      SearchCorpus searchCorpus, RawLucene lucene, List<Set<String>> truth, double wanted) {
    for (int candidates : CANDIDATES) {
      double found =
          meanRecall(
              truth,
              question -> lucene.nearest(searchCorpus.questionVector(question), HITS, candidates));
      if (found >= wanted) {
        return candidates;
      }
    }
    return CANDIDATES.getLast();
  }

  private void addContender(
      InterleavedMeasurement interleavedMeasurement, String name, IntConsumer question) {
    interleavedMeasurement.addContender(
        name,
        time -> Load.runAlone(time, _ -> question.accept(next.getAndIncrement() % QUESTIONS)));
  }

  private static void addRates(
      BenchReport.ReportSection reportSection,
      InterleavedMeasurement interleavedMeasurement,
      List<String> names) {
    for (String name : names) {
      Measurement total = interleavedMeasurement.totalOf(name);
      reportSection.add(name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
      reportSection.add(name + ", p50", total.millis(MEDIAN), Figure.FigureUnit.MILLIS);
    }
  }

  private void measurePeers(
      BenchReport.ReportSection reportSection, BenchSearchIndex rig, BruteForceScan exact) {
    LangChainStore langchain = new LangChainStore(rig.corpus(), exact);
    progressPrinter.startPart("compared with others");
    InterleavedMeasurement interleavedMeasurement = new InterleavedMeasurement(1);
    addContender(interleavedMeasurement, "Caliber", question -> rig.searchDense(question, HITS));
    addContender(
        interleavedMeasurement,
        "plain exact scan",
        question -> exact.nearest(rig.corpus().questionVector(question), HITS));
    addContender(
        interleavedMeasurement,
        "LangChain4j in memory",
        question -> langchain.nearest(rig.corpus().questionVector(question), HITS));
    interleavedMeasurement.run(measurementSettings, progressPrinter);
    addRates(
        reportSection,
        interleavedMeasurement,
        List.of("Caliber", "plain exact scan", "LangChain4j in memory"));
  }

  private void measureHybrid(BenchReport.ReportSection reportSection, BenchSearchIndex rig) {
    progressPrinter.startPart("hybrid");
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE);
    addContender(
        interleavedMeasurement, "all channels", question -> rig.searchHybrid(question, HITS));
    addContender(
        interleavedMeasurement, "words only", question -> rig.searchLexical(question, HITS));
    interleavedMeasurement.run(measurementSettings, progressPrinter);
    Measurement all = interleavedMeasurement.totalOf("all channels");
    reportSection.add(
        "all channels, p50",
        all.millis(MEDIAN),
        Figure.FigureUnit.MILLIS,
        Figure.FigureTarget.below(HYBRID_MILLIS));
    reportSection.add("all channels, p95", all.millis(TAIL), Figure.FigureUnit.MILLIS);
    reportSection.add("all channels", all.perSecond(), Figure.FigureUnit.PER_SECOND);
    reportSection.add(
        "words only, p50",
        interleavedMeasurement.totalOf("words only").millis(MEDIAN),
        Figure.FigureUnit.MILLIS);
  }

  /** Measures the same queries on indexes of several sizes. */
  public void measureGrowth(BenchReport benchReport, List<Integer> sizes) {
    Map<String, BenchSearchIndex> rigs = new LinkedHashMap<>();
    try {
      for (int size : sizes) {
        String name = "%,d documents".formatted(size);
        progressPrinter.startPart("loading " + name);
        rigs.put(
            name,
            BenchSearchIndex.load(
                new SearchCorpus(size),
                benchLocations.newEngine(BenchEngine.SQLITE),
                progressPrinter));
      }
      InterleavedMeasurement dense = new InterleavedMeasurement(InterleavedMeasurement.FINE);
      rigs.forEach(
          (name, rig) -> addContender(dense, name, question -> rig.searchDense(question, HITS)));
      addGrowth(
          benchReport.section("growth", "by vector"),
          dense.run(measurementSettings, progressPrinter),
          rigs);
      InterleavedMeasurement hybrid = new InterleavedMeasurement(InterleavedMeasurement.FINE);
      rigs.forEach(
          (name, rig) -> addContender(hybrid, name, question -> rig.searchHybrid(question, HITS)));
      addGrowth(
          benchReport.section("growth", "hybrid"),
          hybrid.run(measurementSettings, progressPrinter),
          rigs);
    } finally {
      rigs.values().forEach(BenchSearchIndex::close);
    }
  }

  private static void addGrowth(
      BenchReport.ReportSection reportSection,
      InterleavedMeasurement interleavedMeasurement,
      Map<String, BenchSearchIndex> rigs) {
    List<String> names = List.copyOf(rigs.keySet());
    addRates(reportSection, interleavedMeasurement, names);
    reportSection.add(
        "growth from %s to %s".formatted(names.getFirst(), names.getLast()),
        interleavedMeasurement.medianRateRatio(names.getFirst(), names.getLast()),
        Figure.FigureUnit.RATIO);
  }
}
