package dev.caliber.lang;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.check.Checks;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Severity;
import dev.caliber.lang.lower.Lowering;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Damage;
import dev.caliber.lang.syntax.Parser;

/** Parses, checks and lowers, one pass after the other. */
final class PassCompiler implements Compiler {
  private final Catalogue catalogue;

  PassCompiler(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public CompileResult compile(String fileName, String source) {
    var diagnostics = new Diagnostics(fileName);
    var parsed = Parser.parse(source, diagnostics);
    Checks.run(parsed.ast(), parsed.damage(), catalogue, diagnostics);
    Secrets.reportRest(source, diagnostics);
    return result(parsed.ast(), diagnostics);
  }

  @Override
  public CompileResult compile(String fileName, Ast ast) {
    var diagnostics = new Diagnostics(fileName);
    Checks.run(ast, Damage.NONE, catalogue, diagnostics);
    return result(ast, diagnostics);
  }

  private CompileResult result(Ast ast, Diagnostics diagnostics) {
    var found = diagnostics.sorted();
    boolean rejected = found.stream().anyMatch(d -> d.severity() == Severity.ERROR);
    return rejected
        ? new CompileResult.Rejected(found)
        : new CompileResult.Compiled(Lowering.lower(ast, catalogue), ast, found);
  }
}
