package dev.caliber.lang.pack;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.diagnostic.ConfigError;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.syntax.Ast;
import java.util.List;

/** What a composer answers: all or nothing. */
public sealed interface ComposeResult {

  /**
   * A pack that can be deployed.
   *
   * @param ir the pack as typed records
   * @param dslSource the tree as a source of the language; parsing it gives an equal tree
   * @param hash of all its files: equal exactly when they are
   * @param lock what {@code cal.lock} should hold
   */
  record Composed(
      Pack ir,
      Ast ast,
      String dslSource,
      CompiledConfig config,
      String hash,
      PackLock lock,
      List<Diagnostic> warnings)
      implements ComposeResult {
    public Composed {
      warnings = List.copyOf(warnings);
    }

    /** The tree as canonical JSON. */
    public String astJson() {
      return CanonicalJson.text(ast);
    }

    /** The compiled configuration as canonical JSON. */
    public String configJson() {
      return CanonicalJson.text(config);
    }

    /** The typed records as canonical JSON. */
    public String irJson() {
      return CanonicalJson.text(ir);
    }
  }

  /** All that is wrong, warnings included, by file and place. */
  record Rejected(List<Diagnostic> diagnostics) implements ComposeResult {
    public Rejected {
      diagnostics = List.copyOf(diagnostics);
    }

    /** The same as an error: the one there is, or all of them as one. */
    public CaliberException error() {
      return ConfigError.of(diagnostics);
    }
  }
}
