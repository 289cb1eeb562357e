package dev.caliber.lang.diagnostic;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** The forms of a configuration error, as callers of the API know them. */
public enum ConfigError {
  MISSING_REQUIRED,
  INVALID_VALUE,
  INCOMPATIBLE_OPTIONS,
  PROVIDER_NOT_SUPPORTED;

  /** The diagnostic as an error. */
  public static CaliberException of(Diagnostic diagnostic) {
    String text = diagnostic.message() + "; " + diagnostic.suggestion();
    return switch (diagnostic.code().error()) {
      case MISSING_REQUIRED -> KernelException.missingPart(diagnostic.where(), text);
      case INVALID_VALUE ->
          KernelException.invalidSetting(diagnostic.where(), diagnostic.code().name(), text);
      case INCOMPATIBLE_OPTIONS -> KernelException.incompatibleOptions(diagnostic.where(), text);
      case PROVIDER_NOT_SUPPORTED -> KernelException.providerNotSupported(diagnostic.where(), text);
    };
  }

  /** The errors among the diagnostics: the one there is, or all of them as one. */
  public static CaliberException of(List<Diagnostic> diagnostics) {
    var errors =
        diagnostics.stream()
            .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
            .map(ConfigError::of)
            .toList();
    return errors.size() == 1 ? errors.getFirst() : KernelException.multipleErrors(errors);
  }
}
