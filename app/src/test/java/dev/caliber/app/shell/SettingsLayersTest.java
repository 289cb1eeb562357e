package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.serve.SettingsPageGenerator;
import dev.caliber.app.serve.SettingsPageGenerator.SettingDescription;
import dev.caliber.app.shell.AppConfig.ModuleConfigs;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.SettingOrigin;
import dev.caliber.kernel.settings.Settings;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the settings of all modules, as a file and the environment lie over the starter. */
class SettingsLayersTest {
  @TempDir Path directory;

  /** Returns a line of TOML that sets a key to another value than the starter's. */
  private static String line(SettingDescription setting) {
    return setting.type().startsWith("table")
        ? setting.key() + ".mine = " + last(setting.range())
        : setting.key() + " = " + otherValue(setting);
  }

  private static String otherValue(SettingDescription setting) {
    String starter = setting.starter();
    return switch (setting.type()) {
      case "flag" -> Boolean.toString(!Boolean.parseBoolean(starter));
      case "one of" ->
          List.of(setting.range().split(", ")).stream()
              .map(name -> '"' + name + '"')
              .filter(name -> !name.equals(starter))
              .findFirst()
              .orElseThrow();
      case "text" -> setting.key().endsWith("endpoint") ? "\"https://other.test/x\"" : "\"other\"";
      case "texts" -> "[\"other\"]";
      case "whole number", "number" -> otherBound(setting.range(), "", starter);
      default -> otherBound(setting.range(), "\"", starter);
    };
  }

  private static String otherBound(String range, String quote, String starter) {
    String most = quote + last(range) + quote;
    return most.equals(starter) ? quote + range.substring(0, range.indexOf(' ')) + quote : most;
  }

  private static String last(String range) {
    return range.substring(range.lastIndexOf(' ') + 1);
  }

  private static Settings starter() {
    return Settings.ofStarter(AppConfig.starterText());
  }

  private static ModuleConfigs read(Settings settings) {
    return settings.read("", ModuleConfigs.class);
  }

  /** Returns each value of a record by the path of its component. */
  private static Map<String, Object> values(String path, Object value) {
    var values = new TreeMap<String, Object>();
    if (value instanceof Record && !(value instanceof DataSize) && !(value instanceof SpaceId)) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        values.putAll(values(path + "." + component.getName(), valueOf(component, value)));
      }
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((key, entry) -> values.put(path + "." + key, entry));
    } else {
      values.put(path, value);
    }
    return values;
  }

  private static Object valueOf(RecordComponent component, Object owner) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(owner);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  @DisplayName(
      "CFG-01, CFG-02, PCP-01, VEC-01: each key of each module changes its own value, by file and"
          + " by variable")
  void everyKeyReachesItsPlace(String engine) {
    String fixed = "store.engine = '%s'\n".formatted(engine);
    List<SettingDescription> settings =
        SettingsPageGenerator.settings().stream()
            .filter(setting -> !setting.key().equals("store.engine"))
            .filter(setting -> !setting.key().equals("context.persistence"))
            .toList();
    String file = settings.stream().map(SettingsLayersTest::line).collect(Collectors.joining("\n"));
    Settings before = starter().withFile("engine", fixed);
    Map<String, Object> old = values("", read(before));
    Settings changed = starter().withFile("other", fixed + file);
    ModuleConfigs all = read(changed);
    assertThat(changed.problems())
        .allMatch(problem -> problem.code() == KernelErrorCode.INCOMPATIBLE_OPTIONS);
    Map<String, Object> now = values("", all);
    assertThat(now.keySet()).containsAll(old.keySet());
    assertThat(old)
        .hasSizeGreaterThan(200)
        .allSatisfy(
            (path, value) -> {
              if (!path.endsWith("section")) {
                assertThat(now.get(path)).as(path).isNotEqualTo(value);
              }
            });
    Map<String, String> variables =
        (fixed + file)
            .lines()
            .map(line -> line.split(" = ", 2))
            .collect(
                Collectors.toMap(
                    parts ->
                        "CALIBER__"
                            + parts[0]
                                .toUpperCase(Locale.ROOT)
                                .replace(".", "__")
                                .replace('-', '_'),
                    parts -> parts[1].replaceAll("[\\[\\]\"']", "")));
    Settings environment = starter().withEnvironment(variables);
    assertThat(read(environment)).isEqualTo(all);
    assertThat(environment.origins())
        .filteredOn(origin -> origin.layer().equals("starter"))
        .extracting(SettingOrigin::key)
        .containsExactly("context.persistence");
  }

  @Test
  @DisplayName("CFG-12: the starter version sets every key, and no other")
  void theStarterVersionIsComplete() {
    Settings settings = starter().withFile("whole", AppConfig.starterText());
    read(settings);
    settings.verify();
    assertThat(settings.missingInFile()).isEmpty();
  }

  private Shell shell(String file) throws IOException {
    Files.writeString(directory.resolve("caliber.toml"), file);
    return new Shell(directory);
  }

  @Test
  @DisplayName(
      "CFG-10: three lines are a valid file, and 'config show' says where values come from")
  void threeLinesAreAFile() throws IOException {
    Shell shell =
        shell("[server]\nport = 7701\ndefault-space = \"team\"\n")
            .with("CALIBER__SERVER__PORT", "7702")
            .with("CALIBER_SPACE", "team");
    assertThat(shell.run("config", "check").code()).isZero();
    assertThat(shell.run("config", "show").out().lines())
        .anyMatch(line -> line.matches("server.port +CALIBER__SERVER__PORT +\"7702\""))
        .anyMatch(line -> line.matches("server.default-space +.*caliber.toml:3:1 +\"team\""))
        .anyMatch(line -> line.matches("server.host +starter +\"127.0.0.1\""));
    assertThat(shell.run("config", "show", "--json").out())
        .contains("{\"key\":\"server.port\",\"value\":\"\\\"7702\\\"\",\"layer\":\"environment\"");
    assertThat(shell.run("config", "check", "--json").out())
        .contains("the starter version", "caliber.toml", "the environment");
  }

  @Test
  @DisplayName("CFG-10: config check --strict demands a complete file")
  void strictDemandsACompleteFile() throws IOException {
    Shell.Ran ran = shell("[server]\nport = 7701\n").run("config", "check", "--strict");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out())
        .contains("caliber.toml:1:1: the setting server.host is missing", "store.engine")
        .doesNotContain("server.port is missing");
    assertThat(shell(AppConfig.starterText()).run("config", "check", "--strict").code()).isZero();
  }

  @Test
  @DisplayName("CFG-10: an unknown variable stops a command by its name, without its value")
  void unknownVariablesAreRefused() {
    Shell.Ran ran = new Shell(directory).with("CALIBER__SERVER__PROT", "s3cret").run("stats");
    assertThat(ran.code()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(ran.err())
        .contains("CALIBER__SERVER__PROT", "unknown setting", "CALIBER__SERVER__PORT")
        .doesNotContain("s3cret");
    assertThat(AppConfig.find(Optional.empty(), directory, Map.of()).problems()).isEmpty();
  }
}
