package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Search for keys of a layer that no module reads. A section without any known key is reported
 * once, without its keys.
 */
final class UnknownKeyFinder {
  private final SettingsSource settingsSource;
  private final Set<String> keys;
  private final SortedSet<String> sections = new TreeSet<>();

  UnknownKeyFinder(SettingsSource settingsSource, Set<String> keys) {
    this.settingsSource = settingsSource;
    this.keys = keys;
    for (String key : keys) {
      for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
        sections.add(key.substring(0, dot));
      }
    }
  }

  List<SettingsProblem> find() {
    var unknown = new ArrayList<SettingsProblem>();
    var unknownSections = new ArrayList<String>();
    settingsSource
        .tables()
        .forEach(
            (path, filePosition) -> {
              if (!sections.contains(path)
                  && !keys.contains(path)
                  && !isInside(path, unknownSections)) {
                unknownSections.add(path);
                unknown.add(problem(path, filePosition, "section", sections));
              }
            });
    settingsSource
        .values()
        .forEach(
            (path, settingsValue) -> {
              if (!keys.contains(path) && !isInside(path, unknownSections)) {
                unknown.add(problem(path, settingsValue.position(), "setting", keys));
              }
            });
    return unknown;
  }

  private static boolean isInside(String path, List<String> unknownSections) {
    return unknownSections.stream().anyMatch(section -> path.startsWith(section + "."));
  }

  private SettingsProblem problem(
      String path, FilePosition filePosition, String what, Set<String> known) {
    boolean variable = settingsSource.kind() == SettingsSource.Kind.ENVIRONMENT;
    String reason =
        NearestName.find(path, known)
            .map(nearest -> variable ? EnvironmentSettings.variable(nearest) : nearest)
            .map(nearest -> "unknown " + what + "; the nearest known one is " + nearest)
            .orElse("unknown " + what);
    return new SettingsProblem(
        filePosition,
        KernelException.invalidSetting(
            settingsSource.locationOf(path, filePosition), path, reason));
  }
}
