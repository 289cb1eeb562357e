package dev.caliber.lang;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.ast.Ast;

/**
 * Compiles configurations. It executes nothing, opens nothing and throws nothing: for any source,
 * the result is a configuration or a list of diagnostics. Safe for many threads.
 */
public interface Compiler {
  static Compiler create(Catalogue catalogue) {
    return new MultiPassCompiler(catalogue);
  }

  /** Compiles a source; the file name is only used in diagnostics. */
  CompileResult compile(String fileName, String source);

  /** Compiles a tree that was built and not parsed. */
  CompileResult compile(String fileName, Ast ast);
}
