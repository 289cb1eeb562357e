package dev.caliber.app;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands; called alone, it names them. */
abstract class GroupCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public final void run() {
    if (spec != null) {
      String wanted =
          spec.subcommands().keySet().stream().collect(Collectors.joining("' or '", "'", "'"));
      throw new ParameterException(
          spec.commandLine(), "Expected %s after '%s'".formatted(wanted, spec.qualifiedName()));
    }
  }
}
