package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that docs/coverage.md agrees with the tests. With {@code -Dcoverage.write=true} the page is
 * written instead of compared.
 */
class CoverageTest {
  private static final Path DOCS = Repository.root().resolve("docs");
  private static final Path PAGE = DOCS.resolve("coverage.md");
  private static final Path REASONS = DOCS.resolve("coverage-reasons.properties");
  private static final String REWRITE = "run ./verify --coverage and commit the page";
  private static final boolean WRITE = Boolean.getBoolean("coverage.write");

  private static CoveragePage page() {
    var parts = new TreeMap<String, List<String>>();
    properties(DOCS.resolve("coverage-floors.properties"))
        .forEach(
            (part, ids) -> parts.put(part, Arrays.stream(ids.split(", *", -1)).sorted().toList()));
    var ids =
        RequirementIds.readSpecification()
            .orElseGet(
                () -> RequirementIds.parseIds(Repository.text(RequirementIds.committedFile())));
    return new CoveragePage(
        ids,
        RequirementTests.testsByRequirement(Repository.testSources()),
        parts,
        properties(REASONS));
  }

  private static NavigableMap<String, String> properties(Path file) {
    var loaded = new Properties();
    try {
      loaded.load(new StringReader(Repository.text(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var sorted = new TreeMap<String, String>();
    loaded.stringPropertyNames().forEach(name -> sorted.put(name, loaded.getProperty(name)));
    return sorted;
  }

  @Test
  void thePageSaysWhatTheTestsSay() throws IOException {
    var page = page();
    if (WRITE) {
      Files.writeString(PAGE, page.text());
      Files.writeString(REASONS, withoutStaleReasons(page));
    }
    assertThat(Repository.text(PAGE))
        .as("docs/coverage.md is out of date: %s", REWRITE)
        .isEqualTo(page.text());
  }

  @Test
  void theListOfIdsAgreesWithTheSpecification() throws IOException {
    var specified = RequirementIds.readSpecification();
    if (WRITE && specified.isPresent()) {
      Files.writeString(RequirementIds.committedFile(), RequirementIds.formatIds(specified.get()));
    }
    var committed = RequirementIds.parseIds(Repository.text(RequirementIds.committedFile()));
    assertThat(committed)
        .as("docs/spec-ids.txt is out of date: %s", REWRITE)
        .isEqualTo(specified.orElse(committed))
        .isNotEmpty();
  }

  @Test
  void everyIdInATestsNameExists() {
    assertThat(page().unknownIds()).isEmpty();
  }

  @Test
  void everyOwnedIdHasATestOrAReason() {
    assertThat(page().unexplainedIds())
        .as("ids with neither a test nor a reason in coverage-reasons.properties")
        .isEmpty();
  }

  @Test
  void everyOwnedIdExists() {
    var page = page();
    assertThat(page.ids())
        .containsAll(page.partIds().values().stream().flatMap(List::stream).toList());
  }

  @Test
  void aReasonForAnIdThatIsShownIsStale() {
    var page = page();
    assertThat(page.reasons().keySet().stream().filter(page.tests()::containsKey))
        .as("reasons for ids that tests show now: %s", REWRITE)
        .isEmpty();
  }

  @Test
  void namesAreReadFromDisplayNamesAndLabels() {
    var source =
        JavaSource.sample(
            "sample/T.java",
            """
            @DisplayName("ARC-01: of the class")
            class T {
              @DisplayName("STO-15, STO-19: of " + "a method") void one() {}
              @Label("UTL-01: of a property") void two() {}
              @DisplayName("says nothing about STO-20") void three() {}
              class Inner { @DisplayName(value = "STO-15: inside") void four() {} }
            }
            """);
    assertThat(RequirementTests.testsByRequirement(source))
        .isEqualTo(
            Map.of(
                "ARC-01", new TreeSet<>(List.of("T")),
                "STO-15", new TreeSet<>(List.of("T#one", "T.Inner#four")),
                "STO-19", new TreeSet<>(List.of("T#one")),
                "UTL-01", new TreeSet<>(List.of("T#two"))));
  }

  @Test
  void aPageThatLacksAnIdSaysSo() {
    var page =
        new CoveragePage(
            new TreeSet<>(List.of("ARC-01", "ARC-02", "MEM-01")),
            new TreeMap<>(
                Map.of(
                    "ARC-01",
                    new TreeSet<>(List.of("T#one")),
                    "ZZZ-99",
                    new TreeSet<>(List.of("T#two")))),
            new TreeMap<>(Map.of("ground-floor", List.of("ARC-01", "ARC-02"))),
            Map.of("MEM", "not built yet: memory"));
    assertThat(page.unexplainedIds()).containsExactly("ARC-02");
    assertThat(page.unknownIds()).containsExactly("ZZZ-99");
    assertThat(page.text())
        .contains(
            "## ground floor: 1 of 2 shown",
            "| ARC-01 | `T#one` |",
            "| ARC-02 | not shown: no reason given |")
        .contains("| MEM | 1 | 0 | not built yet: memory |");
  }

  private static String withoutStaleReasons(CoveragePage page) {
    return Repository.text(REASONS)
        .lines()
        .filter(line -> !page.tests().containsKey(line.split("[ =]", 2)[0]))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
