package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.serve.SettingsPageGenerator;
import dev.caliber.app.serve.SettingsPageGenerator.SettingDescription;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tomlj.Toml;
import tools.jackson.databind.JsonNode;

/** Tests that every setting is declared, explained and documented. */
class AppSettingsTest {
  @TempDir Path directory;

  @Test
  @DisplayName("J-59: docs/configuration.md is what 'caliber config list --markdown' prints")
  void thePageIsUpToDate() throws IOException {
    Path page = Path.of(System.getProperty("caliber.root"), "docs", "configuration.md");
    assertThat(new Shell(directory).run("config", "list", "--markdown").out())
        .as("run ./caliber config list --markdown > docs/configuration.md")
        .isEqualTo(Files.readString(page));
  }

  @Test
  @DisplayName(
      "J-59: every setting has a type, a starter value and a sentence, a number its range and unit")
  void everySettingIsExplained() {
    assertThat(SettingsPageGenerator.settings())
        .isNotEmpty()
        .allSatisfy(
            settingDescription -> {
              assertThat(settingDescription.means()).as(settingDescription.key()).endsWith(".");
              assertThat(settingDescription.starter()).as(settingDescription.key()).isNotEmpty();
              assertThat(settingDescription.type()).isNotEmpty();
              boolean free = settingDescription.type().startsWith("text");
              assertThat(settingDescription.range().isEmpty())
                  .as(settingDescription.key())
                  .isEqualTo(free);
              boolean number =
                  settingDescription.type().contains("whole number")
                      || settingDescription.type().equals("number");
              assertThat(settingDescription.unit().isEmpty())
                  .as(settingDescription.key())
                  .isEqualTo(!number);
            });
  }

  @Test
  @DisplayName("J-52: the file of the process has the sections of every module")
  void everyRoomHasItsPart() {
    assertThat(SettingsPageGenerator.settings())
        .extracting(SettingDescription::key)
        .contains("store.engine", "context.token-budget", "coordination.lease-duration");
    assertThat(AppConfig.find(java.util.Optional.empty(), directory, java.util.Map.of()).problems())
        .isEmpty();
  }

  @Test
  @DisplayName(
      "CFG-10: a batch that the store's pages cannot hold is reported when the file is read")
  void roomsAgree() throws IOException {
    Files.writeString(
        directory.resolve("caliber.toml"),
        AppConfig.starterText().replaceFirst("(?m)^batch = 500$", "batch = 5000"));
    Shell.Ran ran = new Shell(directory).run("config", "check");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out() + ran.err()).contains("memory.retention.batch", "store.reads.page-limit");
  }

  @Test
  @DisplayName(
      "CFG-10: batches of agents that a commit or a page cannot hold are reported, all at once")
  void agentsFitTheStore() throws IOException {
    Files.writeString(
        directory.resolve("caliber.toml"),
        AppConfig.starterText()
            .replaceFirst("(?m)^changes-limit = 10000$", "changes-limit = 400")
            .replaceFirst("(?m)^page-limit = 1000$", "page-limit = 499"));
    Shell.Ran ran = new Shell(directory).run("config", "check");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out() + ran.err())
        .contains("agents.heartbeats.batch", "agents.messages.batch", "agents.maintenance.batch")
        .contains(
            "store.writes.changes-limit", "agents.maintenance.page-size", "store.reads.page-limit");
  }

  @Test
  @DisplayName("CFG-10: the whole configuration may be a file of JSON")
  void theConfigurationMayBeJson() throws IOException {
    Files.writeString(
        directory.resolve("caliber.json"), Toml.parse(AppConfig.starterText()).toJson());
    Shell shell = new Shell(directory);
    assertThat(shell.run("config", "check", "--config", "caliber.json").out())
        .contains("caliber.json: all", "settings are valid");
    Files.writeString(directory.resolve("caliber.json"), "{\"store\": ");
    Shell.Ran ran = shell.run("config", "check", "--config", "caliber.json");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out()).contains("caliber.json:1:", "json: expected one object, found '{");
  }

  @Test
  void programsGetSettingsAsJson() {
    String first =
        new Shell(directory)
            .run("config", "list", "--json")
            .out()
            .lines()
            .findFirst()
            .orElseThrow();
    assertThat(Json.read(first, JsonNode.class).get("key").asString()).isEqualTo("store.engine");
    assertThat(new Shell(directory).run("config", "list").out())
        .contains("SETTING", "store.engine", "sqlite, memory, postgres");
  }
}
