package dev.caliber.gates;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Gate on tracked files: they name no directory of a developer's machine and no address of a
 * package registry (each build has its own, in its settings).
 */
final class TrackedText {
  private static final Map<String, Pattern> REFUSED =
      Map.of(
          "a directory of a machine",
          Pattern.compile("(?<![\\w.$}*/-])/(work|farm|root|home/\\w+|Users/\\w+)/"),
          "the address of a registry",
          Pattern.compile(
              "https?://([\\w-]+\\.)*(repos?\\d*|registry|registries|nexus|artifactory|mirrors?|pypi|npm\\w*|index)\\.[\\w.-]+"),
          "a repository of its own in a pom",
          Pattern.compile("<(repository|pluginRepository|mirror)>|distribution[U]rl"));

  private TrackedText() {}

  static List<GateFinding> findings(String path, String text) {
    var findings = new ArrayList<GateFinding>();
    var lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var place = path + ":" + (i + 1);
      var line = lines.get(i);
      REFUSED.forEach(
          (what, pattern) -> {
            if (pattern.matcher(line).find()) {
              findings.add(new GateFinding(place, "names " + what));
            }
          });
    }
    return List.copyOf(findings);
  }
}
