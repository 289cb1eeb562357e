package dev.caliber.lang;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.diagnostic.ConfigErrorCategory;
import dev.caliber.lang.diagnostic.Diagnostic;
import java.util.List;

/** The result of a compilation. */
public sealed interface CompileResult {

  /** A compiled configuration, its tree, and its warnings. */
  record CompileSuccess(CompiledConfig config, Ast ast, List<Diagnostic> warnings)
      implements CompileResult {
    public CompileSuccess {
      warnings = List.copyOf(warnings);
    }
  }

  /** All diagnostics, warnings included, in the order of the source. */
  record CompileFailure(List<Diagnostic> diagnostics) implements CompileResult {
    public CompileFailure {
      diagnostics = List.copyOf(diagnostics);
    }

    /** Returns the errors as one exception. */
    public CaliberException error() {
      return ConfigErrorCategory.exceptionOf(diagnostics);
    }
  }
}
