package dev.caliber.memory.deployment;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The wish to store one version of a configuration.
 *
 * @param name what its versions are counted under
 * @param dslSource the text that was compiled, or that a pack's tree was printed as
 * @param ast the tree, as JSON
 * @param pack what the configuration was composed from; empty for text of the language
 */
public record DeployConfig(
    String name,
    String dslSource,
    String ast,
    CompiledConfig config,
    Optional<PackContent> pack,
    Stamp stamp) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,63}");
  private static final String KIND = "deployment";

  public DeployConfig {
    requireName(name);
  }

  SourceKind kind() {
    return pack.isPresent() ? SourceKind.PACK : SourceKind.DSL;
  }

  /** Equal exactly when everything that is stored is, whoever deploys it and when. */
  String hash() {
    List<String> parts = new ArrayList<>(List.of(kind().name(), dslSource, ast, Json.text(config)));
    pack.ifPresent(content -> addTo(parts, content));
    return Hashing.hash(KIND, parts.toArray(String[]::new));
  }

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw DeploymentException.invalidName(name);
    }
  }

  private static void addTo(List<String> parts, PackContent pack) {
    parts.addAll(List.of(pack.tools(), pack.ir()));
    pack.files().forEach((path, bytes) -> parts.addAll(List.of(path, sha256(bytes))));
  }

  static String sha256(byte[] bytes) {
    return Hashing.hex(Hashing.sha256(bytes));
  }
}
