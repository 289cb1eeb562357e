package dev.caliber.memory.deployment;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who does something to deployments, and what they want remembered with it.
 *
 * @param by the actor, as the log shows it
 * @param metadata such as a revision of the sources; never secrets
 */
public record Stamp(String by, SortedMap<String, String> metadata) {
  public Stamp {
    if (by.isBlank()) {
      throw DeploymentException.noActor();
    }
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
  }

  public static Stamp by(String actor) {
    return new Stamp(actor, new TreeMap<>());
  }

  public static Stamp of(String actor, Map<String, String> metadata) {
    return new Stamp(actor, new TreeMap<>(metadata));
  }
}
