package dev.caliber.lang.pack;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.check.Checks;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Damage;
import dev.caliber.lang.syntax.Printer;
import dev.caliber.lang.syntax.SyntaxBounds;
import java.util.HashSet;
import java.util.Optional;

/** Reads, checks and lowers a pack, one pass after the other. */
final class PassComposer implements PackComposer {
  private static final Span START = new Span(1, 1, 1, 1);

  private final Catalogue catalogue;
  private final Compiler compiler;

  PassComposer(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.compiler = Compiler.create(catalogue);
  }

  @Override
  public ComposeResult compose(PackSource source) {
    var findings = new Findings();
    PackLock.verify(source, findings);
    return manifest(source, findings.inManifest())
        .flatMap(text -> compose(text, source, findings))
        .orElseGet(() -> new ComposeResult.Rejected(findings.sorted()));
  }

  private static Optional<String> manifest(PackSource source, Diagnostics diagnostics) {
    if (!source.has(PackSource.MANIFEST)) {
      diagnostics.report(
          DiagnosticCode.MISSING_FILE,
          START,
          "the pack has no cal.toml",
          "put it into the directory of the pack");
    } else if (source.size(PackSource.MANIFEST) > PackBounds.CONFIGURATION) {
      diagnostics.report(
          DiagnosticCode.SOURCE_TOO_LARGE,
          START,
          "cal.toml has " + source.size(PackSource.MANIFEST) + " bytes",
          "at most " + PackBounds.CONFIGURATION + " bytes");
    } else if (source.text(PackSource.MANIFEST).isEmpty()) {
      diagnostics.report(
          DiagnosticCode.NOT_TEXT, START, "the file is not UTF-8", "save it as text in UTF-8");
    } else {
      return source.text(PackSource.MANIFEST);
    }
    return Optional.empty();
  }

  private Optional<ComposeResult> compose(String manifest, PackSource source, Findings findings) {
    var diagnostics = findings.inManifest();
    var tree = TomlReader.read(manifest, diagnostics);
    boolean damaged = diagnostics.size() > 0;
    var kept = Conformity.of(tree, damaged, diagnostics);
    var prompts = Prompts.read(kept.root(), source, findings);
    var document = Document.of(kept.root(), source, kept.lost(), prompts);
    var built = AstBuilder.build(document, diagnostics);
    PackChecks.run(document, findings);
    if (findings.hasErrors()) {
      var hurt = new HashSet<>(kept.hurt());
      hurt.addAll(built.hurt());
      if (damaged) { // what the parser has skipped may belong to any of them
        built.ast().definitions().forEach(definition -> hurt.add(definition.span()));
      }
      boolean lost = damaged || document.isLost(Manifest.MEMORIES);
      Checks.run(built.ast(), new Damage(lost, hurt), catalogue, diagnostics);
      return Optional.empty();
    }
    return finish(built.ast(), document, findings);
  }

  private Optional<ComposeResult> finish(Ast ast, Document document, Findings findings) {
    var result = compiler.compile(PackSource.MANIFEST, ast);
    repeat(result, findings.inManifest());
    String printed = Printer.print(ast);
    if (printed.length() > SyntaxBounds.SOURCE) {
      findings
          .inManifest()
          .report(
              DiagnosticCode.SOURCE_TOO_LARGE,
              START,
              "in the language the pack has " + printed.length() + " characters",
              "at most " + SyntaxBounds.SOURCE + " characters");
    }
    return result instanceof CompileResult.Compiled compiled && !findings.hasErrors()
        ? Optional.of(composed(compiled, printed, document, findings))
        : Optional.empty();
  }

  private static void repeat(CompileResult result, Diagnostics diagnostics) {
    var found =
        switch (result) {
          case CompileResult.Compiled(_, _, var warnings) -> warnings;
          case CompileResult.Rejected(var all) -> all;
        };
    found.forEach(it -> diagnostics.report(it.code(), it.span(), it.message(), it.suggestion()));
  }

  private static ComposeResult composed(
      CompileResult.Compiled compiled, String printed, Document document, Findings findings) {
    var lock = PackLock.of(document.source());
    return new ComposeResult.Composed(
        PackLowering.lower(document, compiled.config()),
        compiled.ast(),
        printed,
        compiled.config(),
        lock.hash(),
        lock,
        findings.sorted());
  }
}
