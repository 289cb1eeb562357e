package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackComposer;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import java.util.List;
import java.util.stream.IntStream;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.tomlj.Toml;

/** Measures compiling sources, reading prompts and composing packs, compared with parsing alone. */
public final class LangBench {

  private static final double MEDIAN = 0.5;
  private static final String PART = "language";
  private static final String OURS = "Caliber";
  private static final String PARSED = "parsed only";
  private static final String COMPILED = "parsed, checked and compiled";
  private static final String MARKDOWN = "commonmark alone";
  private static final String FLOOR = "tomlj and commonmark alone";

  private final MeasurementSettings measurementSettings;
  private final ProgressPrinter progressPrinter;
  private final Parser markdown =
      Parser.builder().includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES).build();

  public LangBench(MeasurementSettings measurementSettings, ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport) {
    measureSources(benchReport);
    measurePrompts(benchReport);
    measurePacks(benchReport);
  }

  private void measureSources(BenchReport benchReport) {
    String source = LangBenchSources.source();
    long lines = source.lines().count();
    var compiler = Compiler.create(LangBenchSources.catalogue());
    var reportSection = benchReport.section(PART, "a source of %,d lines".formatted(lines));
    progressPrinter.startPart("sources");
    var interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(PARSED, time -> Load.runAlone(time, _ -> parse(source)))
            .addContender(COMPILED, time -> Load.runAlone(time, _ -> compile(compiler, source)))
            .run(measurementSettings, progressPrinter);
    for (String name : List.of(PARSED, COMPILED)) {
      Measurement total = interleavedMeasurement.totalOf(name);
      reportSection.add("lines " + name, total.perSecond() * lines, Figure.FigureUnit.PER_SECOND);
      reportSection.add("source " + name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
    }
  }

  private static void parse(String source) {
    var diagnostics = new Diagnostics("bench");
    dev.caliber.lang.syntax.Parser.parse(source, diagnostics);
    requireEmpty(diagnostics);
  }

  private static void compile(Compiler compiler, String source) {
    if (compiler.compile("bench", source) instanceof CompileResult.CompileFailure compileFailure) {
      throw compileFailure.error();
    }
  }

  private void measurePrompts(BenchReport benchReport) {
    String prompt = LangBenchSources.prompt(1);
    var rules = PromptRules.strict(PromptKind.AGENT);
    var reportSection =
        benchReport.section(PART, "a prompt of %,d lines".formatted(prompt.lines().count()));
    progressPrinter.startPart("prompts");
    var interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(OURS, time -> Load.runAlone(time, _ -> readPrompt(prompt, rules)))
            .addContender(MARKDOWN, time -> Load.runAlone(time, _ -> markdown.parse(prompt)))
            .run(measurementSettings, progressPrinter);
    addComparison(reportSection, interleavedMeasurement, "prompts read", MARKDOWN);
  }

  private static void readPrompt(String prompt, PromptRules rules) {
    var diagnostics = new Diagnostics("bench");
    PromptReader.read(prompt, rules, diagnostics);
    requireEmpty(diagnostics);
  }

  private void measurePacks(BenchReport benchReport) {
    var pack = LangBenchSources.pack();
    String manifest = LangBenchSources.manifest();
    var prompts =
        IntStream.range(0, LangBenchSources.AGENTS).mapToObj(LangBenchSources::prompt).toList();
    var composer = PackComposer.create(LangBenchSources.catalogue());
    var reportSection =
        benchReport.section(PART, "a pack of %,d agents".formatted(LangBenchSources.AGENTS));
    progressPrinter.startPart("packs");
    var interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.COARSE)
            .addContender(
                OURS, time -> Load.runAlone(time, _ -> requireAccepted(composer.compose(pack))))
            .addContender(FLOOR, time -> Load.runAlone(time, _ -> parseOnly(manifest, prompts)))
            .run(measurementSettings, progressPrinter);
    addComparison(reportSection, interleavedMeasurement, "packs composed", FLOOR);
  }

  private void parseOnly(String manifest, List<String> prompts) {
    if (Toml.parse(manifest).hasErrors()) {
      throw new IllegalStateException("The bench's TOML does not parse");
    }
    prompts.forEach(markdown::parse);
  }

  private static void addComparison(
      BenchReport.ReportSection reportSection,
      InterleavedMeasurement interleavedMeasurement,
      String what,
      String floor) {
    for (String name : List.of(OURS, floor)) {
      Measurement total = interleavedMeasurement.totalOf(name);
      reportSection.add(what + ", " + name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
      reportSection.add(
          what + ", " + name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
    }
    reportSection.add(
        "time of Caliber to " + floor,
        interleavedMeasurement.medianRateRatio(floor, OURS),
        Figure.FigureUnit.RATIO);
  }

  private static void requireAccepted(ComposeResult result) {
    if (result instanceof ComposeResult.ComposeFailure composeFailure) {
      throw composeFailure.error();
    }
  }

  private static void requireEmpty(Diagnostics diagnostics) {
    if (diagnostics.size() > 0) {
      throw new IllegalStateException(
          "Expected no diagnostics, found " + diagnostics.sorted().getFirst().toLine());
    }
  }
}
