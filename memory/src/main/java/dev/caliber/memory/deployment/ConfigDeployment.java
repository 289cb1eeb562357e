package dev.caliber.memory.deployment;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Request to store one version of a configuration.
 *
 * @param name name under which versions are numbered
 * @param dslSource the text that was compiled, or printed from a pack's tree
 * @param ast the tree, as JSON
 * @param pack the pack it was composed from; empty for text of the language
 */
public record ConfigDeployment(
    String name,
    String dslSource,
    String ast,
    CompiledConfig config,
    Optional<PackContent> pack,
    AuditStamp stamp) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,63}");
  private static final String KIND = "deployment";

  public ConfigDeployment {
    requireName(name);
  }

  ConfigSourceKind sourceKind() {
    return pack.isPresent() ? ConfigSourceKind.PACK : ConfigSourceKind.DSL;
  }

  /** Returns the hash of everything that is stored, without actor and time. */
  String hash() {
    List<String> parts =
        new ArrayList<>(List.of(sourceKind().name(), dslSource, ast, Json.text(config)));
    pack.ifPresent(content -> addPackParts(parts, content));
    return FieldHash.hash(KIND, parts.toArray(String[]::new));
  }

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw DeploymentException.invalidName(name);
    }
  }

  private static void addPackParts(List<String> parts, PackContent pack) {
    parts.addAll(List.of(pack.tools(), pack.ir()));
    pack.files().forEach((path, bytes) -> parts.addAll(List.of(path, sha256(bytes))));
  }

  static String sha256(byte[] bytes) {
    return FieldHash.hex(FieldHash.sha256(bytes));
  }
}
