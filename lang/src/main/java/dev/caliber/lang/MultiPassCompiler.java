package dev.caliber.lang;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.check.ConfigChecks;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.lower.ConfigLowering;
import dev.caliber.lang.syntax.ParseDamage;
import dev.caliber.lang.syntax.Parser;

/** Parses, checks and lowers, one pass after the other. */
final class MultiPassCompiler implements Compiler {
  private final Catalogue catalogue;

  MultiPassCompiler(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public CompileResult compile(String fileName, String source) {
    var diagnostics = new Diagnostics(fileName);
    var parsedSource = Parser.parse(source, diagnostics);
    ConfigChecks.run(parsedSource.ast(), parsedSource.damage(), catalogue, diagnostics);
    SecretScanner.reportUnreported(source, diagnostics);
    return result(parsedSource.ast(), diagnostics);
  }

  @Override
  public CompileResult compile(String fileName, Ast ast) {
    var diagnostics = new Diagnostics(fileName);
    ConfigChecks.run(ast, ParseDamage.NONE, catalogue, diagnostics);
    return result(ast, diagnostics);
  }

  private CompileResult result(Ast ast, Diagnostics diagnostics) {
    var found = diagnostics.sorted();
    boolean rejected = found.stream().anyMatch(d -> d.severity() == DiagnosticSeverity.ERROR);
    return rejected
        ? new CompileResult.CompileFailure(found)
        : new CompileResult.CompileSuccess(ConfigLowering.lower(ast, catalogue), ast, found);
  }
}
