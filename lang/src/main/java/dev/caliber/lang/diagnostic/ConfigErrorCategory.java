package dev.caliber.lang.diagnostic;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** Categories of configuration errors, as callers of the API know them. */
public enum ConfigErrorCategory {
  MISSING_REQUIRED,
  INVALID_VALUE,
  INCOMPATIBLE_OPTIONS,
  PROVIDER_NOT_SUPPORTED;

  /** Returns the diagnostic as an exception. */
  public static CaliberException exceptionOf(Diagnostic diagnostic) {
    String text = diagnostic.message() + "; " + diagnostic.suggestion();
    return switch (diagnostic.code().error()) {
      case MISSING_REQUIRED -> KernelException.missingPart(diagnostic.location(), text);
      case INVALID_VALUE ->
          KernelException.invalidSetting(diagnostic.location(), diagnostic.code().name(), text);
      case INCOMPATIBLE_OPTIONS -> KernelException.incompatibleOptions(diagnostic.location(), text);
      case PROVIDER_NOT_SUPPORTED ->
          KernelException.providerNotSupported(diagnostic.location(), text);
    };
  }

  /** Returns the errors among the diagnostics as one exception. */
  public static CaliberException exceptionOf(List<Diagnostic> diagnostics) {
    var errors =
        diagnostics.stream()
            .filter(diagnostic -> diagnostic.severity() == DiagnosticSeverity.ERROR)
            .map(ConfigErrorCategory::exceptionOf)
            .toList();
    return errors.size() == 1 ? errors.getFirst() : KernelException.multipleErrors(errors);
  }
}
