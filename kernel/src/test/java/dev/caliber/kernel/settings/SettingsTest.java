package dev.caliber.kernel.settings;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private enum Durability {
    FULL,
    WRITE_BEHIND
  }

  private record Store(
      String path,
      Durability durability,
      int readers,
      long pages,
      double share,
      boolean checked,
      Duration timeout,
      DataSize cache,
      List<String> pragmas) {
    static Store read(Settings settings) {
      var settingsSection = settings.section("store.sqlite");
      return new Store(
          settingsSection.text("path"),
          settingsSection.oneOf("durability", Durability.class),
          settingsSection.wholeNumber("readers", 1, 64),
          settingsSection.wholeNumber("pages", 1L, 10_000_000_000L),
          settingsSection.decimalNumber("share", 0.25, 1),
          settingsSection.flag("checked"),
          settingsSection.duration("busy-timeout", Duration.ofMillis(10), Duration.ofMinutes(1)),
          settingsSection.size("cache", new DataSize(1024), DataSize.parse("4GiB")),
          settingsSection.texts("pragmas"));
    }
  }

  private static final String COMPLETE =
      """
      [store.sqlite]
      path = "caliber.db"
      durability = "write-behind"
      readers = 4
      pages = 5000000000
      share = 1
      checked = true
      busy-timeout = "5s"
      cache = "64MiB"
      pragmas = ["a", "b"]
      """;

  @Test
  void readsEveryKindOfSetting() {
    var settings = Settings.parse("caliber.toml", COMPLETE);
    assertThat(Store.read(settings))
        .isEqualTo(
            new Store(
                "caliber.db",
                Durability.WRITE_BEHIND,
                4,
                5_000_000_000L,
                1,
                true,
                Duration.ofSeconds(5),
                DataSize.parse("64MiB"),
                List.of("a", "b")));
    settings.verify();
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.sourceName()).isEqualTo("caliber.toml");
  }

  private static final String COMPLETE_JSON =
      """
      {"store": {"sqlite": {
        "path": "caliber.db",
        "durability": "write-behind",
        "readers": 4,
        "pages": 5000000000,
        "share": 1,
        "checked": true,
        "busy-timeout": "5s",
        "cache": "64MiB",
        "pragmas": ["a", "b"]
      }}}
      """;

  @Test
  @DisplayName("CFG-10: the same settings may be written in JSON")
  void readsJson() {
    var settings = Settings.parseJson("caliber.json", COMPLETE_JSON);
    var store = Store.read(settings);
    assertThat(settings.problems()).isEmpty();
    assertThat(store).isEqualTo(Store.read(Settings.parse("caliber.toml", COMPLETE)));
  }

  @Test
  @DisplayName(
      "CFG-10, J-60: in JSON too, all errors are reported at once, and an absent key is missing")
  void reportsAllErrorsOfJsonAtOnce() {
    var settings =
        Settings.parseJson(
            "f",
            COMPLETE_JSON
                .replace("\"readers\": 4", "\"readers\": 99")
                .replace("\"share\": 1", "\"share\": null")
                .replace("\"checked\": true", "\"checked\": {}")
                .replace("[\"a\", \"b\"]", "[{\"a\": [1]}], \"zebra\": 1"));
    Store.read(settings);
    assertThat(refused(KernelErrorCode.MULTIPLE_ERRORS, settings::verify).getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "f:1:12: the setting store.sqlite.share is missing",
            "f:4:3: store.sqlite.readers: expected a whole number from 1 to 64, found '99'",
            "f:7:3: store.sqlite.checked: expected true or false, found 'a table'",
            "f:10:3: store.sqlite.pragmas: expected an array of texts, found 'an array'",
            "f:10:28: store.sqlite.zebra: unknown setting");
  }

  @Test
  @DisplayName("CFG-10: malformed JSON is reported with the first hundred characters of it")
  void reportsMalformedJson() {
    for (String json : List.of("{\"a\": 1,}", "[1]", "", "{} x", "{\"a\": 01}", "\"a\"")) {
      var problems = Settings.parseJson("f", json + " ".repeat(200)).problems();
      assertThat(problems).as(json).hasSize(1);
      assertThat(problems.getFirst().message())
          .contains(": json: expected one object, found '" + json)
          .endsWith("…'")
          .hasSizeLessThan(160);
    }
    assertThat(Settings.parseJson("f", "[".repeat(100_000)).problems()).hasSize(1);
    assertThat(Settings.parseJson("f", "{\"a\": {\"x\": 1}, \"a\": 2}").problems())
        .first()
        .satisfies(
            one ->
                assertThat(one.message())
                    .isEqualTo("f:1:17: json: a is defined twice in this file"));
  }

  @Test
  void remembersTheKeysThatWereRead() {
    var settings = Settings.parse("caliber.toml", "");
    settings.section("b").flag("x");
    settings.section("a.c").text("y-z");
    assertThat(settings.keysRead()).containsExactly("a.c.y-z", "b.x");
  }

  @Test
  @DisplayName("ARC-02: a missing setting is an error that names it")
  void aMissingSettingIsAnError() {
    var settings = Settings.parse("caliber.toml", COMPLETE.replace("readers = 4\n", ""));
    assertThat(Store.read(settings).readers()).isEqualTo(1);
    assertThat(refused(KernelErrorCode.MISSING_REQUIRED, settings::verify))
        .hasMessage("caliber.toml:1:1: the setting store.sqlite.readers is missing");
  }

  @Test
  @DisplayName("ARC-02: an empty file misses every setting, and says so at once")
  void anEmptyFileMissesEverySetting() {
    var settings = Settings.parse("caliber.toml", "");
    assertThatCode(() -> Store.read(settings)).doesNotThrowAnyException();
    refused(KernelErrorCode.MULTIPLE_ERRORS, settings::verify);
    assertThat(settings.problems())
        .hasSize(9)
        .allSatisfy(
            problem -> assertThat(problem.code()).isEqualTo(KernelErrorCode.MISSING_REQUIRED));
  }

  @Test
  @DisplayName("ARC-02: values out of bounds or of another kind are errors with their place")
  void wrongValuesAreErrors() {
    var settings =
        Settings.parse(
            "caliber.toml",
            """
            # wrong in every line

            [store.sqlite]
            path = 1
            durability = "WRITE_BEHIND"
            readers = 65
            pages = 1.0
            share = nan
              checked = "yes"
            busy-timeout = 5
            cache = "5GiB"
            pragmas = ["a", 1]
            """);
    var store = Store.read(settings);
    assertThat(store)
        .isEqualTo(
            new Store(
                "unset",
                Durability.FULL,
                1,
                1,
                0.25,
                false,
                Duration.ofMillis(10),
                new DataSize(1024),
                List.of()));
    String at = "caliber.toml:";
    assertThat(settings.problems().stream().map(CaliberException::message))
        .containsExactly(
            at + "4:1: store.sqlite.path: expected text, found '1'",
            at
                + "5:1: store.sqlite.durability: expected one of full, write-behind, found 'WRITE_BEHIND'",
            at + "6:1: store.sqlite.readers: expected a whole number from 1 to 64, found '65'",
            at
                + "7:1: store.sqlite.pages: expected a whole number from 1 to 10000000000, found '1.0'",
            at + "8:1: store.sqlite.share: expected a number from 0.25 to 1.0, found 'NaN'",
            at + "9:3: store.sqlite.checked: expected true or false, found 'yes'",
            at + "10:1: store.sqlite.busy-timeout: expected a duration from 10ms to 1m, found '5'",
            at + "11:1: store.sqlite.cache: expected a size from 1KiB to 4GiB, found '5GiB'",
            at + "12:1: store.sqlite.pragmas: expected an array of texts, found 'an array'");
  }

  @Test
  @DisplayName("ARC-02: an unknown setting is an error with the nearest known name")
  void unknownSettingsAreErrors() {
    var settings = Settings.parse("caliber.toml", COMPLETE + "busy_timeout = \"1s\"\nzebra = 1\n");
    Store.read(settings);
    assertThat(refused(KernelErrorCode.MULTIPLE_ERRORS, settings::verify).getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "caliber.toml:11:1: store.sqlite.busy_timeout: unknown setting; the nearest known one is"
                + " store.sqlite.busy-timeout",
            "caliber.toml:12:1: store.sqlite.zebra: unknown setting");
  }

  @Test
  void anUnknownSectionIsReportedOnce() {
    var settings =
        Settings.parse(
            "caliber.toml",
            COMPLETE + "[stroe.sqlite]\na = 1\nb = 2\n[store.sqlite.deeper]\nc = 3\n");
    Store.read(settings);
    assertThat(settings.problems().stream().map(KernelException::message))
        .containsExactly(
            "caliber.toml:11:1: stroe: unknown section; the nearest known one is store",
            "caliber.toml:14:1: store.sqlite.deeper: unknown section");
  }

  @Test
  void errorsComeInTheOrderOfTheFile() {
    var settings = Settings.parse("f", "[b]\ny = 1\nx = 1\n[a]\nx = 1\n");
    settings.section("a").text("x");
    settings.section("b").text("x");
    settings.section("a").text("gone");
    assertThat(settings.problems().stream().map(problem -> problem.message().substring(0, 5)))
        .containsExactly("f:2:1", "f:3:1", "f:4:1", "f:5:1");
  }

  @Test
  void aTableIsNoValueAndAValueIsNoTable() {
    var settings = Settings.parse("f", "[a]\nx = 1\n[a.b]\nc = 1\n");
    settings.section("a").text("b");
    settings.section("a.x").text("y");
    assertThat(settings.problems().stream().map(CaliberException::message))
        .contains(
            "f:3:1: a.b: expected text, found 'a table'", "f:1:1: the setting a.x.y is missing");
  }

  @Test
  @DisplayName("ARC-02: syntax errors wait for the verdict and carry their place")
  void syntaxErrorsCarryTheirPlace() {
    var settings = Settings.parse("caliber.toml", "[store.sqlite]\npath = \nreaders = 0\n");
    Store.read(settings);
    assertThat(settings.problems()).isNotEmpty();
    assertThat(settings.problems().getFirst().report())
        .startsWith("CALIBER_CONFIG_INVALID_SETTING: caliber.toml:2:8: TOML: ");
    assertThat(settings.problems())
        .noneSatisfy(
            problem -> assertThat(problem.code()).isEqualTo(KernelErrorCode.MISSING_REQUIRED));
  }

  @Test
  @DisplayName("ARC-02: long runs of lines that say nothing take no time and move no place")
  void linesThatSayNothingMoveNoPlace() {
    String nothing = "\n".repeat(10_000) + "  # \n".repeat(10_000);
    var settings = Settings.parse("f", nothing + "[a]\n" + nothing + "x = 1\ny = [\n\n");
    settings.section("a").text("x");
    assertThat(settings.problems().stream().map(CaliberException::message))
        .first()
        .isEqualTo("f:40002:1: a.x: expected text, found '1'");
    assertThat(settings.problems().getLast().message()).startsWith("f:40005:1: TOML: ");
  }

  @Test
  void emptyLinesAndMarksOfCommentsInsideATextArePartOfIt() {
    var settings = Settings.parse("f", "[a]\nx = \"\"\"\none\n\n# two\n\"\"\"\n\ny = 1\n");
    assertThat(settings.section("a").text("x")).isEqualTo("one\n\n# two\n");
    assertThat(settings.section("a").text("y")).isEqualTo("unset");
    assertThat(settings.problems())
        .singleElement()
        .satisfies(one -> assertThat(one.message()).startsWith("f:8:1: a.y: expected text"));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFile() {
    var settings = Settings.parse("f", "\uFEFFa.x = 1\n");
    settings.section("a").text("x");
    assertThat(settings.problems())
        .singleElement()
        .satisfies(one -> assertThat(one.message()).startsWith("f:1:1: a.x: expected text"));
  }

  @Test
  void aKeyReadTwiceIsReportedOnce() {
    var settings = Settings.parse("f", "[a]\nx = 1\n");
    settings.section("a").text("x");
    settings.section("a").text("x");
    assertThat(settings.problems()).hasSize(1);
  }

  @Test
  void theHashIsOfTheTextAlone() {
    assertThat(Settings.parse("a", COMPLETE).hash())
        .isEqualTo(Settings.parse("b", COMPLETE).hash())
        .isNotEqualTo(Settings.parse("a", COMPLETE + "\n").hash())
        .hasSize(64);
  }

  @Test
  void codeThatAsksForImpossibleThingsIsRefused() {
    var settings = Settings.parse("f", "");
    refused(KernelErrorCode.INVALID_VALUE, () -> settings.section("A"));
    refused(KernelErrorCode.INVALID_VALUE, () -> settings.section("a..b"));
    refused(KernelErrorCode.INVALID_VALUE, () -> settings.section("a").text("some_key"));
    refused(KernelErrorCode.INVALID_VALUE, () -> settings.section("a").wholeNumber("x", 2, 1));
    refused(KernelErrorCode.LIMIT_EXCEEDED, () -> Settings.parse("f", "#".repeat((1 << 20) + 1)));
  }

  @Test
  void readingDeclaresWhatASettingMayBe() {
    var settings = Settings.parse("caliber.toml", COMPLETE);
    Store.read(settings);
    settings.section("store.sqlite").withUnit("pages").wholeNumber("pages", 1, 5);
    settings.section("store.other").withUnit("pages").wholeNumber("limit", 1, 5);
    assertThat(settings.declarations())
        .contains(
            new SettingDeclaration("store.sqlite.durability", "one of", "full, write-behind", ""),
            new SettingDeclaration("store.sqlite.pages", "whole number", "1 to 10000000000", ""),
            new SettingDeclaration("store.sqlite.busy-timeout", "duration", "10ms to 1m", ""),
            new SettingDeclaration("store.other.limit", "whole number", "1 to 5", "pages"));
  }

  @Test
  void aTableOfNumbersHasTheWritersOwnKeys() {
    var settings = Settings.parse("caliber.toml", "[a.b]\nx = 1\n\"y z\" = 2\n[a.c]\nq = 9");
    assertThat(settings.section("a").wholeNumbers("b", 0, 5)).containsOnlyKeys("x");
    assertThat(settings.section("a").wholeNumbers("c", 0, 5)).containsKey("q");
    assertThat(settings.section("a").wholeNumbers("d", 0, 5)).isEmpty();
    assertThat(settings.problems())
        .extracting(CaliberException::message)
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).contains("expected kebab-case, found 'a.b.\"y z\"'"),
            one ->
                assertThat(one).contains("a.c.q: expected a whole number from 0 to 5, found '9'"),
            one -> assertThat(one).contains("the setting a.d is missing"));
  }

  @Test
  void settingsThatDoNotFitTogetherAreReportedWhereTheFirstStands() {
    var settings = Settings.parse("caliber.toml", "[a]\nx = 1\ny = 2");
    settings.section("a").wholeNumber("x", 0, 5);
    settings.section("a").wholeNumber("y", 0, 5);
    settings.requireCompatible(true, "a.x", "a.y", "never");
    settings.requireCompatible(false, "a.x", "a.z", "one of them is not there");
    assertThat(settings.problems()).isEmpty();
    settings.requireCompatible(false, "a.y", "a.x", "expected less");
    assertThat(settings.problems())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.code()).isEqualTo(KernelErrorCode.INCOMPATIBLE_OPTIONS);
              assertThat(one.message()).isEqualTo("caliber.toml:3:1: a.y and a.x: expected less");
            });
  }
}
