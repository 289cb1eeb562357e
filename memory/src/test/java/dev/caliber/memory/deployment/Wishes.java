package dev.caliber.memory.deployment;

import dev.caliber.kernel.config.AdapterDefinition;
import dev.caliber.kernel.config.AdapterOptions;
import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.OptionValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;

/** Deploy requests, one for each number. */
@NullMarked
final class Wishes {
  static final AuditStamp STAMP = AuditStamp.of("ada", Map.of("revision", "abc"));

  private Wishes() {}

  static CompiledConfig config(int number) {
    return new CompiledConfig(
        "1." + number,
        List.of(),
        List.of(),
        List.of(),
        List.of(
            new AdapterDefinition(
                "main",
                AdapterType.SQLITE,
                "file-" + number,
                new AdapterOptions(
                    Map.of(
                        "größe",
                        new OptionValue.DecimalOption(0.1),
                        "n",
                        new OptionValue.NullOption())))));
  }

  static ConfigDeployment dsl(String name, int number) {
    return new ConfigDeployment(
        name,
        "caliber: \"1.%d\" { }\n".formatted(number),
        "{\"version\": \"1.%d\" }".formatted(number),
        config(number),
        Optional.empty(),
        STAMP);
  }

  static ConfigDeployment pack(String name, Map<String, byte[]> files) {
    return pack(name, files, "{\"agents\":[]}");
  }

  static ConfigDeployment pack(String name, Map<String, byte[]> files, String ir) {
    ConfigDeployment plain = dsl(name, 1);
    return new ConfigDeployment(
        name,
        plain.dslSource(),
        plain.ast(),
        plain.config(),
        Optional.of(PackContent.of(files, "[]", ir)),
        STAMP);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
