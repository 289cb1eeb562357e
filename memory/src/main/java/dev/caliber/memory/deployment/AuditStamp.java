package dev.caliber.memory.deployment;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Actor of a change to deployments, and metadata to store with it.
 *
 * @param by the actor, as the log shows it
 * @param metadata for example a revision of the sources; never secrets
 */
public record AuditStamp(String by, SortedMap<String, String> metadata) {
  public AuditStamp {
    if (by.isBlank()) {
      throw DeploymentException.noActor();
    }
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
  }

  public static AuditStamp of(String actor) {
    return new AuditStamp(actor, new TreeMap<>());
  }

  public static AuditStamp of(String actor, Map<String, String> metadata) {
    return new AuditStamp(actor, new TreeMap<>(metadata));
  }
}
