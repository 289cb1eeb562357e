package dev.caliber.server.operation;

import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.ConfigDeployment;
import dev.caliber.memory.deployment.PackContent;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A factory of the command that deploys a compiled pack. */
public final class PackDeploymentFactory {
  private PackDeploymentFactory() {}

  public static ConfigDeployment deployCommand(
      String name, ComposeSuccess pack, PackSource source, AuditStamp auditStamp) {
    Map<String, byte[]> files = new TreeMap<>();
    for (String path : source.paths()) {
      files.put(path, source.bytes(path).orElseThrow());
    }
    return new ConfigDeployment(
        name,
        pack.dslSource(),
        pack.astJson(),
        pack.config(),
        Optional.of(PackContent.of(files, Json.text(pack.ir().tools()), pack.irJson())),
        auditStamp);
  }
}
