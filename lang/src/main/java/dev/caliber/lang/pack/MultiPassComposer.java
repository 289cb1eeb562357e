package dev.caliber.lang.pack;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.check.ConfigChecks;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.check.PackChecks;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestShapeCheck;
import dev.caliber.lang.pack.manifest.PackBounds;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.PromptFiles;
import dev.caliber.lang.pack.manifest.TomlReader;
import dev.caliber.lang.syntax.ParseDamage;
import dev.caliber.lang.syntax.Printer;
import java.util.HashSet;
import java.util.Optional;

/** Reads, checks and lowers a pack, one pass after the other. */
final class MultiPassComposer implements PackComposer {
  private static final Span START = new Span(1, 1, 1, 1);

  private final Catalogue catalogue;
  private final Compiler compiler;

  MultiPassComposer(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.compiler = Compiler.create(catalogue);
  }

  @Override
  public ComposeResult compose(PackSource source) {
    var packDiagnostics = new PackDiagnostics();
    PackLock.verify(source, packDiagnostics);
    return manifestText(source, packDiagnostics.inManifest())
        .flatMap(text -> compose(text, source, packDiagnostics))
        .orElseGet(() -> new ComposeResult.ComposeFailure(packDiagnostics.sorted()));
  }

  private static Optional<String> manifestText(PackSource source, Diagnostics diagnostics) {
    if (!source.has(PackSource.MANIFEST)) {
      diagnostics.report(
          DiagnosticCode.MISSING_FILE,
          START,
          "the pack has no cal.toml",
          "add cal.toml to the directory of the pack");
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

  private Optional<ComposeResult> compose(
      String manifest, PackSource source, PackDiagnostics packDiagnostics) {
    var diagnostics = packDiagnostics.inManifest();
    var tree = TomlReader.read(manifest, diagnostics);
    boolean damaged = diagnostics.size() > 0;
    var conformingTree = ManifestShapeCheck.checkTree(tree, damaged, diagnostics);
    var promptFiles = PromptFiles.read(conformingTree.root(), source, packDiagnostics);
    var parsedPack =
        ParsedPack.of(conformingTree.root(), source, conformingTree.damagedSections(), promptFiles);
    var builtTree = AstBuilder.build(parsedPack, diagnostics);
    PackChecks.run(parsedPack, packDiagnostics);
    if (packDiagnostics.hasErrors()) {
      var hurt = new HashSet<>(conformingTree.damagedSpans());
      hurt.addAll(builtTree.damagedSpans());
      if (damaged) { // a part that the parser skipped may belong to any section
        builtTree.ast().definitions().forEach(definition -> hurt.add(definition.span()));
      }
      boolean lost = damaged || parsedPack.isDamaged(Manifest.MEMORIES);
      ConfigChecks.run(builtTree.ast(), new ParseDamage(lost, hurt), catalogue, diagnostics);
      return Optional.empty();
    }
    return finish(builtTree.ast(), parsedPack, packDiagnostics);
  }

  private Optional<ComposeResult> finish(
      Ast ast, ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var result = compiler.compile(PackSource.MANIFEST, ast);
    reportAgain(result, packDiagnostics.inManifest());
    String printed = Printer.print(ast);
    if (printed.length() > SyntaxBounds.SOURCE) {
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.SOURCE_TOO_LARGE,
              START,
              "in the language the pack has " + printed.length() + " characters",
              "at most " + SyntaxBounds.SOURCE + " characters");
    }
    return result instanceof CompileResult.CompileSuccess compileSuccess
            && !packDiagnostics.hasErrors()
        ? Optional.of(composeSuccess(compileSuccess, printed, parsedPack, packDiagnostics))
        : Optional.empty();
  }

  private static void reportAgain(CompileResult result, Diagnostics diagnostics) {
    var found =
        switch (result) {
          case CompileResult.CompileSuccess(_, _, var warnings) -> warnings;
          case CompileResult.CompileFailure(var all) -> all;
        };
    found.forEach(it -> diagnostics.report(it.code(), it.span(), it.message(), it.suggestion()));
  }

  private static ComposeResult composeSuccess(
      CompileResult.CompileSuccess compileSuccess,
      String printed,
      ParsedPack parsedPack,
      PackDiagnostics packDiagnostics) {
    var lock = PackLock.of(parsedPack.source());
    return new ComposeResult.ComposeSuccess(
        PackLowering.lower(parsedPack, compileSuccess.config()),
        compileSuccess.ast(),
        printed,
        compileSuccess.config(),
        lock.hash(),
        lock,
        packDiagnostics.sorted());
  }
}
