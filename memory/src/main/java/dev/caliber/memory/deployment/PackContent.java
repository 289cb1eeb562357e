package dev.caliber.memory.deployment;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stored pack: its files byte for byte, and what was compiled from them.
 *
 * @param files path inside the pack to content
 * @param tools the tools and their permissions, as JSON
 * @param ir the typed pack, as JSON
 */
public record PackContent(SortedMap<String, byte[]> files, String tools, String ir) {
  public PackContent {
    if (files.isEmpty()) {
      throw DeploymentException.emptyPack();
    }
    SortedMap<String, byte[]> copy = new TreeMap<>();
    files.forEach((path, bytes) -> copy.put(path, bytes.clone()));
    files = Collections.unmodifiableSortedMap(copy);
  }

  public static PackContent of(Map<String, byte[]> files, String tools, String ir) {
    return new PackContent(new TreeMap<>(files), tools, ir);
  }
}
