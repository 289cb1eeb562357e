package dev.caliber.bench;

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

/**
 * How fast sources are compiled, prompts read and packs composed, beside what parsing alone takes.
 */
final class LangBench {

  private static final double MEDIAN = 0.5;
  private static final String PART = "language";
  private static final String OURS = "Caliber";
  private static final String PARSED = "parsed only";
  private static final String COMPILED = "parsed, checked and compiled";
  private static final String MARKDOWN = "commonmark alone";
  private static final String FLOOR = "tomlj and commonmark alone";

  private final Knobs knobs;
  private final Progress progress;
  private final Parser markdown =
      Parser.builder().includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES).build();

  LangBench(Knobs knobs, Progress progress) {
    this.knobs = knobs;
    this.progress = progress;
  }

  void measure(Report report) {
    sources(report);
    prompts(report);
    packs(report);
  }

  private void sources(Report report) {
    String source = LangSamples.source();
    long lines = source.lines().count();
    var compiler = Compiler.create(LangSamples.catalogue());
    var section = report.section(PART, "a source of %,d lines".formatted(lines));
    progress.part("sources");
    var contest =
        new Contest(Contest.FINE)
            .enter(PARSED, time -> Load.alone(time, _ -> parse(source)))
            .enter(COMPILED, time -> Load.alone(time, _ -> compile(compiler, source)))
            .run(knobs, progress);
    for (String name : List.of(PARSED, COMPILED)) {
      Measured total = contest.total(name);
      section.add("lines " + name, total.perSecond() * lines, Figure.Unit.PER_SECOND);
      section.add("source " + name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
    }
  }

  private static void parse(String source) {
    var diagnostics = new Diagnostics("bench");
    dev.caliber.lang.syntax.Parser.parse(source, diagnostics);
    empty(diagnostics);
  }

  private static void compile(Compiler compiler, String source) {
    if (compiler.compile("bench", source) instanceof CompileResult.Rejected rejected) {
      throw rejected.error();
    }
  }

  private void prompts(Report report) {
    String prompt = LangSamples.prompt(1);
    var rules = PromptRules.strict(PromptKind.AGENT);
    var section = report.section(PART, "a prompt of %,d lines".formatted(prompt.lines().count()));
    progress.part("prompts");
    var contest =
        new Contest(Contest.FINE)
            .enter(OURS, time -> Load.alone(time, _ -> read(prompt, rules)))
            .enter(MARKDOWN, time -> Load.alone(time, _ -> markdown.parse(prompt)))
            .run(knobs, progress);
    compare(section, contest, "prompts read", MARKDOWN);
  }

  private static void read(String prompt, PromptRules rules) {
    var diagnostics = new Diagnostics("bench");
    PromptReader.read(prompt, rules, diagnostics);
    empty(diagnostics);
  }

  private void packs(Report report) {
    var pack = LangSamples.pack();
    String manifest = LangSamples.manifest();
    var prompts = IntStream.range(0, LangSamples.AGENTS).mapToObj(LangSamples::prompt).toList();
    var composer = PackComposer.create(LangSamples.catalogue());
    var section = report.section(PART, "a pack of %,d agents".formatted(LangSamples.AGENTS));
    progress.part("packs");
    var contest =
        new Contest(Contest.COARSE)
            .enter(OURS, time -> Load.alone(time, _ -> accepted(composer.compose(pack))))
            .enter(FLOOR, time -> Load.alone(time, _ -> floor(manifest, prompts)))
            .run(knobs, progress);
    compare(section, contest, "packs composed", FLOOR);
  }

  private void floor(String manifest, List<String> prompts) {
    if (Toml.parse(manifest).hasErrors()) {
      throw new IllegalStateException("wanted TOML for the bench, found something else");
    }
    prompts.forEach(markdown::parse);
  }

  private static void compare(Report.Section section, Contest contest, String what, String floor) {
    for (String name : List.of(OURS, floor)) {
      Measured total = contest.total(name);
      section.add(what + ", " + name, total.perSecond(), Figure.Unit.PER_SECOND);
      section.add(what + ", " + name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
    }
    section.add("time of Caliber to " + floor, contest.ratio(floor, OURS), Figure.Unit.RATIO);
  }

  private static void accepted(ComposeResult result) {
    if (result instanceof ComposeResult.Rejected rejected) {
      throw rejected.error();
    }
  }

  private static void empty(Diagnostics diagnostics) {
    if (diagnostics.size() > 0) {
      throw new IllegalStateException(
          "wanted nothing to say, found " + diagnostics.sorted().getFirst().report());
    }
  }
}
