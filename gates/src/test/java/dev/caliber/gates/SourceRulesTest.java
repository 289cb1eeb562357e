package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gates on sources, each tested with the repository and with a bad sample. */
class SourceRulesTest {
  private static List<JavaSource> sampleMethod(String body) {
    return sampleType("void sample() { " + body + " }");
  }

  private static List<JavaSource> sampleType(String members) {
    return JavaSource.sample(
        "sample/Sample.java", "package sample; class Sample { " + members + " }");
  }

  @Test
  void everyPackageSaysWhatItIsAndIsNullMarked() {
    assertThat(PackageInfos.findings(Repository.mainSources(Repository.modules()))).isEmpty();
  }

  @Test
  void aPackageWithoutInfoIsFound() {
    assertThat(PackageInfos.findings(sampleType("")))
        .extracting(GateFinding::what)
        .containsExactly("has no package-info.java");
  }

  @Test
  void aPackageThatIsNotNullMarkedIsFound() {
    var info = JavaSource.sample("sample/package-info.java", "/** Says what. */ package sample;");
    assertThat(PackageInfos.findings(info))
        .extracting(GateFinding::what)
        .containsExactly("is not @NullMarked");
  }

  @Test
  void aPackageThatDoesNotSayWhatItIsIsFound() {
    var info = JavaSource.sample("sample/package-info.java", "@NullMarked package sample;");
    assertThat(PackageInfos.findings(info))
        .extracting(GateFinding::what)
        .containsExactly("has no description");
  }

  @Test
  void noExceptionIsGeneric() {
    assertThat(GenericExceptions.findings(Repository.mainSources(Repository.modules()))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throw new RuntimeException(\"x\");",
        "throw new java.lang.Exception(\"x\");",
        "var kept = new Error();",
        "throw new IllegalStateException();"
      })
  void aGenericExceptionIsFound(String body) {
    assertThat(GenericExceptions.findings(sampleMethod(body))).hasSize(1);
  }

  @Test
  void aProgrammersErrorWithAMessageIsAllowed() {
    assertThat(
            GenericExceptions.findings(
                sampleMethod("throw new IllegalArgumentException(\"text is blank\");")))
        .isEmpty();
  }

  @Test
  void noTestCanSwitchItselfOff() {
    assertThat(SkippedTests.findings(Repository.testSources())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Disabled void t() {}",
        "@org.junit.jupiter.api.condition.EnabledOnOs(OS.LINUX) void t() {}",
        "@DisabledIfEnvironmentVariable(named = \"CI\", matches = \".*\") void t() {}",
        "@Ignore void t() {}",
        "void t() { assumeTrue(false); }",
        "void t() { Assumptions.abort(); }",
        "void t() { org.assertj.core.api.Assumptions.assumeThat(1).isEqualTo(2); }"
      })
  void aTestThatCanSwitchItselfOffIsFound(String member) {
    assertThat(SkippedTests.findings(sampleType(member))).isNotEmpty();
  }

  /** Returns the paths at the start of each line of a list in .build. */
  private static Set<String> listedPaths(String list, List<JavaSource> sources) {
    var paths =
        Repository.text(Repository.root().resolve(".build").resolve(list))
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.substring(0, line.indexOf(' ')))
            .collect(Collectors.toSet());
    assertThat(sources)
        .extracting(JavaSource::path)
        .as("files in %s exist", list)
        .containsAll(paths);
    return paths;
  }

  @Test
  void filesAndMethodsAreShort() {
    var sources = Repository.mainSources(Repository.modules());
    assertThat(SizeBudget.findings(sources, listedPaths("long-files.txt", sources))).isEmpty();
  }

  @Test
  void aLongFileIsFoundUnlessItIsExempt() {
    var source = sampleType("\n".repeat(900));
    assertThat(SizeBudget.findings(source, Set.of())).hasSize(1);
    assertThat(SizeBudget.findings(source, Set.of("sample/Sample.java"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void f(int a, int b, int c, int d, int e, int f, int g, int h, int i) {}",
        "void f() {} // TODO finish",
        "void f() {\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n}"
      })
  void aBrokenBudgetIsFound(String member) {
    assertThat(SizeBudget.findings(sampleType(member), Set.of())).hasSize(1);
  }

  @Test
  void aPackageOfManyFilesIsFound() {
    var sources =
        IntStream.rangeClosed(0, 50)
            .mapToObj(i -> JavaSource.sample("sample/Type" + i + ".java", "class Type" + i + " {}"))
            .flatMap(List::stream)
            .toList();
    assertThat(SizeBudget.findings(sources, Set.of()))
        .singleElement()
        .hasToString("sample: files: 51, at most 50");
    assertThat(SizeBudget.findings(sources.subList(0, 50), Set.of())).isEmpty();
  }

  @Test
  void manyMiddlingMethodsAreFound() {
    var members =
        IntStream.range(0, 30)
            .mapToObj(i -> "void f" + i + "() {" + "\n".repeat(30) + "}")
            .collect(Collectors.joining("\n"));
    assertThat(SizeBudget.findings(sampleType(members), Set.of("sample/Sample.java")))
        .extracting(GateFinding::what)
        .containsExactly("method p90: 31, at most 25");
  }

  @Test
  void aRecordMayHaveManyComponents() {
    var record = "record R(int a, int b, int c, int d, int e, int f, int g) { R { } }";
    assertThat(SizeBudget.findings(sampleType(record), Set.of())).isEmpty();
  }

  @Test
  @DisplayName("ARC-01: no behavioural value is written in the product's code")
  void sourcesHaveNoBehaviouralLiterals() {
    var sources = Repository.mainSources(Repository.productModules());
    assertThat(BehaviouralLiterals.findings(sources, listedPaths("unnamed-numbers.txt", sources)))
        .isEmpty();
  }

  @ParameterizedTest
  @DisplayName("ARC-01: a behavioural value in code is found")
  @ValueSource(
      strings = {
        "void f() { wait(250); }",
        "int f(int n) { return n > 100 ? 100 : n; }",
        "double score = 0.75;",
        "static final Duration PATIENCE = Duration.ofSeconds(30);",
        "void f() { run(Duration.ofMillis(1)); }",
        "static final Duration WAIT = Duration.parse(\"PT5S\");",
        "static final Duration WAIT = Durations.parse(\"5s\");",
        "static final int RETRY_ATTEMPTS = 5;",
        "static final int THREADS = 8;",
        "static final double TRUST_WEIGHT = 0.4;",
        "static final int DEFAULT_PAGE = 50;"
      })
  void aBehaviouralLiteralIsFound(String member) {
    assertThat(BehaviouralLiterals.findings(sampleType(member), Set.of())).isNotEmpty();
  }

  @ParameterizedTest
  @DisplayName("ARC-01: structure, facts and bounds may be written in code")
  @ValueSource(
      strings = {
        "int f(int n) { return n - 1 + 2; }",
        "static final int BYTES = 16;",
        "static final int RETRY_BOUND = 100;",
        "static final Duration LEASE_BOUND = Duration.ofDays(30);",
        "static final class FeedBounds { static final Duration WAIT = Duration.ofHours(1); static final int QUEUE = 64; }",
        "long f(long n) { return n >>> 48 & 0xFFFF; }",
        "boolean f(int n) { return n < 0x80; }",
        "int f(int[] n) { return n[3]; }",
        "void f(Row row) { row.setLong(3, row.getLong(4)); }",
        "void f(Row row) { bindAll(row, 3); }",
        "enum Unit { MINUTE(60); Unit(int seconds) {} }",
        "@Sized(40) void f() {}",
        "record Limits(@SettingRange(\"10ms to 1h\") Duration wait) {}",
        "Duration f(String ttl) { return Durations.parse(\"--ttl\", ttl); }",
        "public int hashCode() { return 31 * 17; }"
      })
  void structureFactsAndBoundsMayStay(String member) {
    assertThat(BehaviouralLiterals.findings(sampleType(member), Set.of())).isEmpty();
  }

  @Test
  @DisplayName("ARC-01: a file that is a format may hold unnamed numbers, but no choice")
  void aFormatFileMayHoldNumbersButNoChoice() {
    var format = Set.of("sample/Sample.java");
    assertThat(BehaviouralLiterals.findings(sampleMethod("parse(text, 11, 14);"), format))
        .isEmpty();
    assertThat(BehaviouralLiterals.findings(sampleMethod("wait(Duration.ofSeconds(5));"), format))
        .hasSize(1);
  }
}
