package dev.caliber.kernel.settings;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private enum Durability {
    FULL,
    WRITE_BEHIND
  }

  @ProviderNames
  private enum Model {
    SMALL
  }

  private sealed interface Place {
    @SettingVariant(value = "disk", table = "disk")
    record Disk(Path path, @SettingRange("1KiB to 4GiB") DataSize cache) implements Place {}

    @SettingVariant("nowhere")
    record Nowhere() implements Place {}
  }

  private record Limits(
      @SettingRange("1 to 64 readers") int readers,
      @SettingRange("1 to 10000000000 pages") long pages,
      @SettingRange("0.25 to 1 share") double share,
      @SettingRange("10ms to 1m") Duration busyTimeout) {}

  private record Store(
      Place place,
      Durability durability,
      Optional<Model> model,
      Optional<String> user,
      boolean checked,
      List<String> pragmas,
      SpaceId space,
      URI address,
      @SettingKey("") Limits limits,
      @SettingKey("weights") @SettingRange("0 to 9 weight") Map<Durability, Double> weights,
      @SettingRange("0 to 5 weight") SortedMap<String, Integer> custom)
      implements CheckedSettings {
    @Override
    public void check(Settings settings) {
      settings.requireCompatible(
          limits.readers < 60 || !checked, "store.readers", "store.checked", "expected less");
    }
  }

  private static final String STARTER =
      """
      [store]
      place = "disk"
      durability = "full"
      model = "none"
      user = ""
      checked = true
      pragmas = ["a", "b"]
      space = "default"
      address = "http://a.test"
      readers = 4
      pages = 5000000000
      share = 1
      busy-timeout = "5s"
      [store.disk]
      path = "caliber.db"
      cache = "64MiB"
      [store.weights]
      full = 1
      write-behind = 2
      [store.custom]
      """;

  private static Settings file(String toml) {
    return Settings.ofStarter(STARTER).withFile("f", toml);
  }

  private static Store read(Settings settings) {
    return settings.read("store", Store.class);
  }

  private static List<String> problems(Settings settings) {
    read(settings);
    return settings.problems().stream().map(CaliberException::message).toList();
  }

  @Test
  void theStarterVersionIsEnough() {
    Settings settings = Settings.ofStarter(STARTER);
    Store store = read(settings);
    settings.verify();
    assertThat(store)
        .isEqualTo(
            new Store(
                new Place.Disk(Path.of("caliber.db"), DataSize.parse("64MiB")),
                Durability.FULL,
                Optional.empty(),
                Optional.empty(),
                true,
                List.of("a", "b"),
                SpaceId.DEFAULT,
                URI.create("http://a.test"),
                new Limits(4, 5_000_000_000L, 1, Duration.ofSeconds(5)),
                Map.of(Durability.FULL, 1.0, Durability.WRITE_BEHIND, 2.0),
                new java.util.TreeMap<>()));
    assertThat(settings.declarations())
        .contains(
            new SettingDeclaration("store.place", "one of", "disk, nowhere", ""),
            new SettingDeclaration("store.model", "one of", "none, small", ""),
            new SettingDeclaration("store.disk.cache", "size", "1KiB to 4GiB", ""),
            new SettingDeclaration("store.readers", "whole number", "1 to 64", "readers"),
            new SettingDeclaration("store.weights.full", "number", "0.0 to 9.0", "weight"),
            new SettingDeclaration("store.custom", "table of whole numbers", "0 to 5", "weight"));
  }

  @Test
  @DisplayName("ARC-02: a key that the starter version lacks is an error that names it")
  void theStarterVersionIsComplete() {
    var settings = Settings.ofStarter(STARTER.replace("readers = 4\n", ""));
    assertThat(refused(KernelErrorCode.MISSING_REQUIRED, () -> read(settings)))
        .hasMessageContaining("the setting store.readers is missing");
  }

  @Test
  @DisplayName("CFG-10: a file is a layer over the starter version: it sets what it names")
  void aFileOfTwoLinesIsValid() {
    Settings settings = file("store.readers = 5\nstore.custom.mine = 3");
    Store store = read(settings);
    settings.verify();
    assertThat(store.limits()).isEqualTo(new Limits(5, 5_000_000_000L, 1, Duration.ofSeconds(5)));
    assertThat(store.custom()).containsExactly(Map.entry("mine", 3));
    assertThat(read(file("store.place = 'nowhere'")).place()).isEqualTo(new Place.Nowhere());
  }

  @Test
  @DisplayName("CFG-10: an environment variable overrides the file")
  void variablesOverrideTheFile() {
    Settings settings =
        file("store.readers = 5\nstore.checked = false")
            .withEnvironment(
                Map.of(
                    "CALIBER__STORE__READERS", "6",
                    "CALIBER__STORE__BUSY_TIMEOUT", "7s",
                    "CALIBER__STORE__SHARE", "0.5",
                    "CALIBER__STORE__PRAGMAS", "x, y",
                    "CALIBER__STORE__USER", "",
                    "CALIBER__STORE__CUSTOM__MY_OWN", "2",
                    "CALIBER_SPACE", "not a setting"));
    Store store = read(settings);
    settings.verify();
    assertThat(store.limits()).isEqualTo(new Limits(6, 5_000_000_000L, 0.5, Duration.ofSeconds(7)));
    assertThat(store.checked()).isFalse();
    assertThat(store.pragmas()).containsExactly("x", "y");
    assertThat(store.custom()).containsExactly(Map.entry("my-own", 2));
    assertThat(settings.origins())
        .contains(
            new SettingOrigin("store.place", "\"disk\"", "starter", ""),
            new SettingOrigin("store.checked", "false", "file", "f:2:1"),
            new SettingOrigin("store.readers", "\"6\"", "environment", "CALIBER__STORE__READERS"),
            new SettingOrigin(
                "store.custom.my-own", "\"2\"", "environment", "CALIBER__STORE__CUSTOM__MY_OWN"));
    assertThat(settings.layers())
        .extracting(SettingsLayer::name)
        .containsExactly("the starter version", "f", "the environment");
  }

  @Test
  @DisplayName("CFG-10: a wrong variable is refused by its name, and its value is not repeated")
  void wrongVariablesAreRefusedByName() {
    Settings settings =
        Settings.ofStarter(STARTER)
            .withEnvironment(
                Map.of(
                    "CALIBER__STORE__READERS", "s3cret",
                    "CALIBER__STORE__SPACE", "s3cret!",
                    "CALIBER__STORE__REEDERS", "s3cret",
                    "CALIBER__store__readers", "s3cret"));
    assertThat(problems(settings))
        .containsExactlyInAnyOrder(
            "CALIBER__STORE__READERS: store.readers: expected a whole number from 1 to 64",
            "CALIBER__STORE__SPACE: store.space: expected the name of a space",
            "CALIBER__STORE__REEDERS: store.reeders: unknown setting; the nearest known one is"
                + " CALIBER__STORE__READERS",
            "CALIBER__store__readers: CALIBER__store__readers: unknown setting");
  }

  @Test
  void credentialsInAnAddressAreNotShown() {
    Settings settings = file("store.address = 'https://me:s3cret@a.test/x?key=s3cret'");
    read(settings);
    assertThat(settings.origins())
        .contains(new SettingOrigin("store.address", "\"https:***a.test/x***\"", "file", "f:1:1"));
  }

  @Test
  @DisplayName("CFG-10: a strict check names what the file leaves to the starter version")
  void aStrictCheckDemandsACompleteFile() {
    Settings incomplete = file(STARTER.replace("readers = 4\n", "").replace("[store.custom]", ""));
    read(incomplete);
    incomplete.verify();
    assertThat(incomplete.missingInFile())
        .extracting(CaliberException::message)
        .containsExactly(
            "f:1:1: the setting store.readers is missing",
            "f:1:1: the setting store.custom is missing");
    Settings complete = file(STARTER);
    read(complete);
    assertThat(complete.missingInFile()).isEmpty();
  }

  @Test
  @DisplayName("CFG-10: the same settings may be written in JSON")
  void readsJson() {
    var settings =
        Settings.ofStarter(STARTER)
            .withJsonFile("f", "{\"store\": {\"readers\": 5, \"busy-timeout\": \"1s\"}}");
    Store store = read(settings);
    settings.verify();
    assertThat(store).isEqualTo(read(file("store.readers = 5\nstore.busy-timeout = '1s'")));
  }

  @Test
  @DisplayName("CFG-10, J-60: in JSON too, all errors are reported at once; null sets nothing")
  void reportsAllErrorsOfJsonAtOnce() {
    var settings =
        Settings.ofStarter(STARTER)
            .withJsonFile(
                "f",
                """
                {"store": {
                  "readers": 99, "share": null,
                  "checked": {},
                  "pragmas": [{"a": [1]}], "zebra": 1
                }}
                """);
    read(settings);
    assertThat(refused(KernelErrorCode.MULTIPLE_ERRORS, settings::verify).getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "f:2:3: store.readers: expected a whole number from 1 to 64, found '99'",
            "f:3:3: store.checked: expected true or false, found 'a table'",
            "f:4:3: store.pragmas: expected an array of texts, found 'an array'",
            "f:4:28: store.zebra: unknown setting");
  }

  @Test
  @DisplayName("CFG-10: malformed JSON is reported with the first hundred characters of it")
  void reportsMalformedJson() {
    for (String json : List.of("{\"a\": 1,}", "[1]", "", "{} x", "{\"a\": 01}", "\"a\"")) {
      var problems = ofJson(json + " ".repeat(200));
      assertThat(problems).as(json).hasSize(1);
      assertThat(problems.getFirst().message())
          .contains(": json: expected one object, found '" + json)
          .endsWith("…'")
          .hasSizeLessThan(160);
    }
    assertThat(ofJson("[".repeat(100_000))).hasSize(1);
    assertThat(ofJson("{\"a\": {\"x\": 1}, \"a\": 2}"))
        .first()
        .satisfies(
            one ->
                assertThat(one.message())
                    .isEqualTo("f:1:17: json: a is defined twice in this file"));
  }

  private static List<KernelException> ofJson(String json) {
    return Settings.ofStarter("").withJsonFile("f", json).problems();
  }

  @Test
  @DisplayName("ARC-02: values out of bounds or of another kind are errors with their place")
  void wrongValuesAreErrors() {
    var settings =
        file(
            """
            # wrong in every line

            [store]
            place = "mars"
            durability = "WRITE_BEHIND"
            model = "huge"
            readers = 65
            pages = 1.0
            share = nan
              checked = "yes"
            busy-timeout = 5
            pragmas = ["a", 1]
            address = "s3cret"
            space = "!"
            custom = 1
            [store.disk]
            path = 1
            cache = "5GiB"
            """);
    assertThat(problems(settings))
        .containsExactly(
            "f:4:1: store.place: expected one of disk, nowhere, found 'mars'",
            "f:5:1: store.durability: expected one of full, write-behind, found 'WRITE_BEHIND'",
            "f:6:1: store.model: expected one of none, small, found 'huge'",
            "f:7:1: store.readers: expected a whole number from 1 to 64, found '65'",
            "f:8:1: store.pages: expected a whole number from 1 to 10000000000, found '1.0'",
            "f:9:1: store.share: expected a number from 0.25 to 1.0, found 'NaN'",
            "f:10:3: store.checked: expected true or false, found 'yes'",
            "f:11:1: store.busy-timeout: expected a duration from 10ms to 1m, found '5'",
            "f:12:1: store.pragmas: expected an array of texts, found 'an array'",
            "f:13:1: store.address: address: has to begin with http:// or https://",
            "f:14:1: store.space: "
                + refused(KernelErrorCode.INVALID_VALUE, () -> new SpaceId("!")).getMessage(),
            "f:15:1: store.custom: expected a table, found 'a value'",
            "f:17:1: store.disk.path: expected text, found '1'",
            "f:18:1: store.disk.cache: expected a size from 1KiB to 4GiB, found '5GiB'");
    assertThat(settings.problems())
        .filteredOn(problem -> problem.code() == KernelErrorCode.PROVIDER_NOT_SUPPORTED)
        .hasSize(1);
    assertThat(read(settings)).isEqualTo(read(Settings.ofStarter(STARTER)));
  }

  @Test
  @DisplayName("ARC-02: an unknown setting is an error with the nearest known name")
  void unknownSettingsAreErrors() {
    assertThat(problems(file("[store]\nbusy_timeout = \"1s\"\nzebra = 1\n")))
        .containsExactly(
            "f:2:1: store.busy_timeout: unknown setting; the nearest known one is"
                + " store.busy-timeout",
            "f:3:1: store.zebra: unknown setting");
  }

  @Test
  void anUnknownSectionIsReportedOnce() {
    assertThat(problems(file("[stroe.disk]\na = 1\nb = 2\n[store.disk.deeper]\nc = 3\n")))
        .containsExactly(
            "f:1:1: stroe: unknown section; the nearest known one is store",
            "f:4:1: store.disk.deeper: unknown section");
  }

  @Test
  void aTableIsNoValue() {
    assertThat(problems(file("[store.readers]\nx = 1\n")))
        .contains(
            "f:1:1: store.readers: expected a whole number from 1 to 64, found 'a table'",
            "f:2:1: store.readers.x: unknown setting; the nearest known one is store.readers");
  }

  @Test
  @DisplayName("ARC-02: syntax errors wait for the verdict and carry their place")
  void syntaxErrorsCarryTheirPlace() {
    var settings = file("[store]\npath = \nreaders = 0\n");
    assertThat(problems(settings).getFirst()).startsWith("f:2:8: TOML: ");
    assertThat(settings.problems().getFirst().toLine())
        .startsWith("CALIBER_CONFIG_INVALID_SETTING: f:2:8");
  }

  @Test
  @DisplayName("ARC-02: long runs of lines that say nothing take no time and move no place")
  void linesThatSayNothingMoveNoPlace() {
    String nothing = "\n".repeat(10_000) + "  # \n".repeat(10_000);
    List<String> problems = problems(file(nothing + "[store]\n" + nothing + "user = 1\ny = [\n\n"));
    assertThat(problems.getFirst()).isEqualTo("f:40002:1: store.user: expected text, found '1'");
    assertThat(problems.getLast()).startsWith("f:40005:1: TOML: ");
  }

  @Test
  void emptyLinesAndMarksOfCommentsInsideATextArePartOfIt() {
    Settings settings = file("[store]\nuser = \"\"\"\none\n\n# two\n\"\"\"\n\ndurability = 1\n");
    assertThat(read(settings).user()).contains("one\n\n# two\n");
    assertThat(settings.problems())
        .singleElement()
        .satisfies(one -> assertThat(one.message()).startsWith("f:8:1: store.durability"));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFile() {
    assertThat(problems(file("\uFEFFstore.user = 1\n")))
        .containsExactly("f:1:1: store.user: expected text, found '1'");
  }

  @Test
  void namesOfOnesOwnAreKebabCaseAndTheirValuesHaveBounds() {
    assertThat(problems(file("[store.custom]\nx = 1\n\"y z\" = 2\nq = 9")))
        .containsExactly(
            "f:3:1: store.custom.\"y z\": expected kebab-case, found 'store.custom.\"y z\"'",
            "f:4:1: store.custom.q: expected a whole number from 0 to 5, found '9'");
  }

  @Test
  void settingsThatDoNotFitTogetherAreReportedWhereTheFileHasOne() {
    String reason = "store.readers and store.checked: expected less";
    assertThat(problems(file("\nstore.readers = 60"))).containsExactly("f:2:1: " + reason);
    assertThat(problems(file("store.readers = 60\nstore.checked = 7"))).hasSize(1);
    Settings other =
        Settings.ofStarter(STARTER.replace("= 4", "= 61").replace("= true", "= false"))
            .withFile("f", "\nstore.checked = true");
    assertThat(problems(other)).containsExactly("f:2:1: " + reason);
    assertThat(other.problems().getFirst().code()).isEqualTo(KernelErrorCode.INCOMPATIBLE_OPTIONS);
  }

  @Test
  void theHashIsOfTheTextAlone() {
    assertThat(Settings.ofStarter("a").withFile("x", "b").layers().getLast().hash())
        .isEqualTo(Settings.ofStarter("b").layers().getFirst().hash())
        .hasSize(64);
  }

  private record WithoutRange(int count) {}

  private record BackToFront(@SettingRange("2 to 1 x") int count) {}

  private record OfNothing(@SettingRange("1 to 2") Object thing) {}

  @Test
  void codeThatAsksForImpossibleThingsIsRefused() {
    var settings = Settings.ofStarter("a.count = 1");
    for (Class<? extends Record> type :
        List.of(WithoutRange.class, BackToFront.class, OfNothing.class)) {
      assertThatThrownBy(() -> settings.read("a", type))
          .isInstanceOf(IllegalArgumentException.class);
    }
    refused(KernelErrorCode.LIMIT_EXCEEDED, () -> file("#".repeat((1 << 20) + 1)));
  }
}
