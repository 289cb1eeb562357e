package dev.caliber.server.operation;

import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.PackContent;
import dev.caliber.memory.deployment.Stamp;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The wish to deploy a pack with all that was made of it. */
public final class PackDeployment {
  private PackDeployment() {}

  public static DeployConfig of(String name, Composed pack, PackSource source, Stamp stamp) {
    Map<String, byte[]> files = new TreeMap<>();
    for (String path : source.paths()) {
      files.put(path, source.bytes(path).orElseThrow());
    }
    return new DeployConfig(
        name,
        pack.dslSource(),
        pack.astJson(),
        pack.config(),
        Optional.of(PackContent.of(files, Json.text(pack.ir().tools()), pack.irJson())),
        stamp);
  }
}
