package dev.caliber.lang;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.lang.diagnostic.ConfigError;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.syntax.Ast;
import java.util.List;

/** What a compiler answers. */
public sealed interface CompileResult {

  /** The configuration, the tree it came from, and what is odd about it. */
  record Compiled(CompiledConfig config, Ast ast, List<Diagnostic> warnings)
      implements CompileResult {
    public Compiled {
      warnings = List.copyOf(warnings);
    }
  }

  /** All that is wrong, warnings included, in the order of the source. */
  record Rejected(List<Diagnostic> diagnostics) implements CompileResult {
    public Rejected {
      diagnostics = List.copyOf(diagnostics);
    }

    /** The same as an error: the one there is, or all of them as one. */
    public CaliberException error() {
      return ConfigError.of(diagnostics);
    }
  }
}
