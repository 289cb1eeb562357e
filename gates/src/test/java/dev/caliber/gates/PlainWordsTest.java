package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gates on names and texts, each tested with the repository and with a bad sample. */
class PlainWordsTest {
  private static final List<JavaSource> MAIN = Repository.mainSources(Repository.modules());

  private static List<JavaSource> sample(String declarations) {
    return JavaSource.sample("sample/Sample.java", "package sample; " + declarations);
  }

  @Test
  void everyTypeIsNamedByANoun() {
    assertThat(TypeNames.withoutNoun(MAIN)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Told", "Ending", "Since", "Rested", "Fully", "Others", "ShownTwice"})
  void aNameWithoutANounIsFound(String name) {
    assertThat(TypeNames.withoutNoun(sample("class " + name + " {}"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Feed", "Embedding", "PendingAppends", "StoredDocument", "JsonReader"})
  void aNameWithANounMayStay(String name) {
    assertThat(TypeNames.withoutNoun(sample("class " + name + " {}"))).isEmpty();
  }

  @Test
  void aSimpleNameMeansOneThingInAModule() {
    assertThat(TypeNames.declaredTwice(Repository.mainSources(Repository.modules()))).isEmpty();
  }

  @Test
  void aSimpleNameThatIsDeclaredTwiceIsFound() {
    assertThat(TypeNames.declaredTwice(sample("class A { record Place() {} } record Place() {}")))
        .hasSize(2);
  }

  @Test
  void aWordOfTheGlossaryIsNoOtherType() {
    assertThat(TypeNames.notOfTheGlossary(MAIN, Vocabulary.classes())).isEmpty();
  }

  @Test
  void everyClassThatTheGlossaryNamesExists() {
    assertThat(Vocabulary.classes().values().stream().flatMap(Set::stream))
        .isNotEmpty()
        .allMatch(path -> MAIN.stream().anyMatch(javaSource -> javaSource.path().equals(path)));
  }

  @Test
  void aWordOfTheGlossaryForAnotherTypeIsFound() {
    var glossary = Map.of("Lease", Set.of("agents/Lease.java"));
    assertThat(TypeNames.notOfTheGlossary(sample("class Lease {}"), glossary)).hasSize(1);
  }

  @Test
  void commentsAndMessagesNameTheActor() {
    assertThat(PlainTexts.inSources(MAIN)).isEmpty();
    assertThat(
            Repository.trackedFiles().stream()
                .map(file -> Repository.root().relativize(file).toString())
                .filter(PlainWordsTest::isForReaders)
                .flatMap(
                    path ->
                        PlainTexts.inText(path, Repository.text(Repository.root().resolve(path)))
                            .stream()))
        .isEmpty();
  }

  /** Returns whether users and developers read the file. */
  private static boolean isForReaders(String path) {
    return Stream.of(".md", ".toml", ".yaml", ".json", ".proto").anyMatch(path::endsWith)
        && !path.startsWith("bench/src/main/resources/")
        && !path.contains("src/test/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Whoever holds it. */ class A {}",
        "class A { /* nobody */ }",
        "class A { // somebody waits\n }",
        "class A { String s = \"Nobody answers\"; }",
        "/** The same by its job. */ class A {}"
      })
  void aTextThatHidesItsActorIsFound(String declaration) {
    assertThat(PlainTexts.inSources(sample(declaration))).hasSize(1);
  }

  @Test
  void aPageThatHidesItsActorIsFound() {
    assertThat(PlainTexts.inText("docs/x.md", "Line\nwhoever reads it"))
        .extracting(GateFinding::place)
        .containsExactly("docs/x.md:2");
  }

  @Test
  void everyPublicTypeSaysWhatItIs() {
    assertThat(PlainTexts.withoutSubject(Repository.mainSources(Repository.productModules())))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public class A {}",
        "/** What was told. */ public class A {}",
        "/** The same by its job. */ public class A {}",
        "/** How far it is. */ public class A {}"
      })
  void aPublicTypeThatDoesNotSayWhatItIsIsFound(String declaration) {
    assertThat(PlainTexts.withoutSubject(sample(declaration))).hasSize(1);
  }
}
