package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gates on pages and decision records, each tested with the repository and with a bad sample. */
class PagesTest {
  private static final Path DOCS = Repository.root().resolve("docs");

  /** Pages that are lists for looking something up. */
  private static final Set<String> LISTS =
      Set.of("configuration.md", "coverage.md", "diagnostics.md");

  private static final String RECORD =
      "# 0001 One\n\n**Problem.** **Decision.** **Rejected.** **When to reopen.**";
  private static final String INDEX = "| [0001](0001-one.md) | One | store | accepted |";

  private static Stream<Path> pages() {
    return Stream.concat(
        Stream.of("README.md", "SECURITY.md", "CONTRIBUTING.md").map(Repository.root()::resolve),
        Repository.walk(DOCS).filter(file -> file.toString().endsWith(".md")));
  }

  private static Stream<Path> decisions() {
    return Repository.walk(DOCS.resolve("decisions"))
        .filter(file -> !file.getFileName().toString().equals("README.md"));
  }

  @Test
  void everyPageBeginsWithItsPurposeAndAnExample() {
    assertThat(
            pages()
                .filter(file -> DOCS.equals(file.getParent()))
                .filter(file -> !LISTS.contains(file.getFileName().toString()))
                .flatMap(file -> Pages.beginning(file.toString(), Repository.text(file)).stream()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"# A\n\n## B\n\nFor example", "# A\n\nThe page is for b.\n\n## C\n\nd"})
  void aPageWithoutPurposeOrExampleIsFound(String text) {
    assertThat(Pages.beginning("a.md", text)).hasSize(1);
  }

  @Test
  void paragraphsAndListItemsAreShort() {
    assertThat(
            pages().flatMap(file -> Pages.walls(file.toString(), Repository.text(file)).stream()))
        .isEmpty();
  }

  @Test
  void aLongParagraphAndALongItemAreFound() {
    assertThat(Pages.walls("a.md", "# A\n\n" + "word ".repeat(130) + "\n\n- " + "a ".repeat(220)))
        .hasSize(2);
    assertThat(Pages.walls("a.md", "```\n" + "word ".repeat(130) + "\n```")).isEmpty();
  }

  @Test
  void everyLinkLeadsSomewhere() {
    assertThat(pages().flatMap(file -> Pages.brokenLinks(file, Repository.text(file)).stream()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a](missing.md)", "[a](server.md#missing)", "# A\n[a](#b)"})
  void aLinkToNothingIsFound(String text) {
    assertThat(Pages.brokenLinks(DOCS.resolve("a.md"), text)).hasSize(1);
  }

  @Test
  void everyDecisionIsCompleteAndInTheIndex() {
    var index = Repository.text(DOCS.resolve("decisions/README.md"));
    assertThat(
            decisions()
                .flatMap(
                    file ->
                        Pages.decision(file.getFileName().toString(), Repository.text(file), index)
                            .stream()))
        .isEmpty();
  }

  @Test
  void aDecisionWithoutPartOrRowIsFound() {
    assertThat(Pages.decision("0001-one.md", RECORD, INDEX)).isEmpty();
    assertThat(Pages.decision("0001-one.md", RECORD, "")).hasSize(1);
    assertThat(Pages.decision("0001-one.md", "# 0001 One", INDEX)).hasSize(4);
  }
}
