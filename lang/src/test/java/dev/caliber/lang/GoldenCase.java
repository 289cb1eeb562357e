package dev.caliber.lang;

import dev.caliber.kernel.Json;
import java.nio.file.Path;
import java.util.List;

/**
 * A source and its result: {@code name.caliber} and {@code name.expected}, which has a line for
 * each diagnostic and, if the source compiles, the configuration as JSON.
 */
record GoldenCase(String name, String source, Path expectedFile) {
  static List<GoldenCase> all() {
    return GoldenFiles.cases("golden", ".caliber", GoldenCase::new);
  }

  String expected() {
    return GoldenFiles.text(expectedFile);
  }

  CompileResult compile() {
    return Compiler.create(Catalogues.product()).compile("case.caliber", source);
  }

  boolean isValid() {
    return name.startsWith("valid/");
  }

  /** Formats a result as the expected file has it. */
  static String describe(CompileResult result) {
    return switch (result) {
      case CompileResult.CompileFailure(var diagnostics) -> GoldenFiles.lines(diagnostics);
      case CompileResult.CompileSuccess(var config, _, var warnings) ->
          GoldenFiles.lines(warnings)
              + Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(config)
              + "\n";
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
