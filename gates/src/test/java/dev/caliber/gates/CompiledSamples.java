package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** Bad code, compiled for one test, which shows that a gate on classes can fail. */
final class CompiledSamples {
  private CompiledSamples() {}

  /** Compiles files, given by path and text, in the directory and imports their classes. */
  static JavaClasses compile(Path directory, Map<String, String> files) throws IOException {
    var arguments =
        new ArrayList<>(List.of("-proc:none", "-d", directory.resolve("classes").toString()));
    for (var file : files.entrySet()) {
      var path = directory.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling("."));
      arguments.add(Files.writeString(path, file.getValue()).toString());
    }
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(exit).as("the sample compiles").isZero();
    return new ClassFileImporter().importPath(directory.resolve("classes"));
  }
}
