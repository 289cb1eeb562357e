package dev.caliber.lang.pack;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.diagnostic.ConfigErrorCategory;
import dev.caliber.lang.diagnostic.Diagnostic;
import java.util.List;

/** The result of composing a pack: all or nothing. */
public sealed interface ComposeResult {

  /**
   * A pack that can be deployed.
   *
   * @param ir the pack as typed records
   * @param dslSource the tree as a source of the language; parsing it gives an equal tree
   * @param hash the hash of all its files: equal exactly when they are
   * @param lock the correct content of {@code cal.lock}
   */
  record ComposeSuccess(
      Pack ir,
      Ast ast,
      String dslSource,
      CompiledConfig config,
      String hash,
      PackLock lock,
      List<Diagnostic> warnings)
      implements ComposeResult {
    public ComposeSuccess {
      warnings = List.copyOf(warnings);
    }

    /** Returns the tree as canonical JSON. */
    public String astJson() {
      return CanonicalJson.text(ast);
    }

    /** Returns the compiled configuration as canonical JSON. */
    public String configJson() {
      return CanonicalJson.text(config);
    }

    /** Returns the typed records as canonical JSON. */
    public String irJson() {
      return CanonicalJson.text(ir);
    }
  }

  /** All diagnostics, warnings included, by file and position. */
  record ComposeFailure(List<Diagnostic> diagnostics) implements ComposeResult {
    public ComposeFailure {
      diagnostics = List.copyOf(diagnostics);
    }

    /** Returns the errors as one exception. */
    public CaliberException error() {
      return ConfigErrorCategory.exceptionOf(diagnostics);
    }
  }
}
