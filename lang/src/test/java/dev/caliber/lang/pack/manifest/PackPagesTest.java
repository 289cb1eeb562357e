package dev.caliber.lang.pack.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.lang.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tomlj.Toml;
import tools.jackson.databind.JsonNode;

/** Tests of generated files, which {@code -Dgolden.write=true} writes. */
class PackPagesTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("caliber.root")));
  private static final String BEGIN = "<!-- keys: generated, a test compares -->\n";
  private static final String END = "<!-- end of keys -->\n";
  private static final String EXAMPLE = "## An example\n\n```toml\n";
  private static final List<String> STRUCTURAL =
      List.of(
          " UNKNOWN_KEY ", " MISSING_KEY ", " WRONG_VALUE_TYPE ", " EMPTY_LIST ", " EMPTY_TEXT ");
  private static final ToolContract SCHEMA =
      ToolContract.of(Json.mapper().readTree(PackSchema.json()));

  static Stream<PackCase> validCases() {
    return PackCase.all().stream().filter(PackCase::isValid);
  }

  static Stream<PackCase> structuralCases() {
    return PackCase.all().stream()
        .filter(it -> it.name().startsWith("single/"))
        .filter(it -> STRUCTURAL.stream().anyMatch(it.expected()::contains))
        .filter(it -> it.expected().contains(" cal.toml "))
        .filter(it -> !it.expected().contains("found "));
  }

  @Test
  @DisplayName("PACK-03: the schema for editors is up to date and is itself a schema")
  void theSchemaIsUpToDate() throws IOException {
    var file = ROOT.resolve("lang/src/main/resources/dev/caliber/lang/cal.schema.json");
    write(file, PackSchema.json());
    assertThat(GoldenFiles.text(file)).isEqualTo(PackSchema.json());
    assertThat(ToolContract.faults(Json.mapper().readTree(PackSchema.json()))).isEmpty();
  }

  @Test
  @DisplayName("PACK-03: the page lists every section and key")
  void thePageIsUpToDate() throws IOException {
    var file = ROOT.resolve("docs/packs.md");
    String page = GoldenFiles.text(file);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    String keys =
        page.substring(0, from) + PackKeysPageGenerator.text() + page.substring(page.indexOf(END));
    int example = keys.indexOf(EXAMPLE) + EXAMPLE.length();
    String fresh =
        keys.substring(0, example)
            + Packs.full().text("cal.toml").orElseThrow()
            + keys.substring(keys.indexOf("```\n", example));
    write(file, fresh);
    assertThat(GoldenFiles.text(file)).isEqualTo(fresh);
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName("PACK-03: the schema accepts every pack that composes")
  void acceptsValidPacks(PackCase golden) {
    assertThat(SCHEMA.violations(json(golden))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("structuralCases")
  @DisplayName("PACK-03: the schema refuses unknown and missing keys and values of another type")
  void refusesStructuralMistakes(PackCase golden) {
    assertThat(SCHEMA.violations(json(golden))).isNotEmpty();
  }

  private static JsonNode json(PackCase golden) {
    return Json.mapper()
        .readTree(Toml.parse(golden.source().text("cal.toml").orElseThrow()).toJson());
  }

  private static void write(Path file, String text) throws IOException {
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, text);
    }
  }
}
