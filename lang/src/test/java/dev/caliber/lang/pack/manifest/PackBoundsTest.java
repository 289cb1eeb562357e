package dev.caliber.lang.pack.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackAnswers;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that packs of the greatest size get results like small ones. */
class PackBoundsTest {
  private static String agents(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                """

                [agents.a%d]
                enabled = true
                profile = "prod_small"
                adapter = "adapters.sqlite.main"
                prompt_md = "agents/a%d.md"
                toolsets = ["toolsets.core"]
                """
                    .formatted(i, i))
        .collect(Collectors.joining());
  }

  private static PackSource withAgents(int count, String prompt) {
    var files = Packs.files(Packs.min());
    String manifest = Packs.min().text("cal.toml").orElseThrow() + agents(0, count);
    files.put("cal.toml", manifest.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < count; i++) {
      files.put("agents/a" + i + ".md", prompt.getBytes(StandardCharsets.UTF_8));
    }
    return PackSource.of(files);
  }

  @Test
  @DisplayName("PACK-26: a pack of 2,000 agents composes")
  void manyAgents() {
    String prompt = Packs.min().text("agents/support.md").orElseThrow();
    assertThat(Packs.composed(withAgents(2_000, prompt)).ir().agents()).hasSize(2_001);
  }

  @Test
  @DisplayName(
      "PACK-26: a pack with too many diagnostics reports that there are more, and omits the rest")
  void manyMistakes() {
    var result = PackAnswers.check(withAgents(500, "${meta.x} ".repeat(500)));
    var found = ((ComposeResult.ComposeFailure) result).diagnostics();
    assertThat(found).hasSizeLessThan(5_000);
    assertThat(found).anyMatch(it -> it.code() == DiagnosticCode.TOO_MANY_DIAGNOSTICS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[", "{", "{a=", "[[", "a.", "[a.", "'", "\"", "\"\"\"", "#", "=", "\\", "\n", "a=1\n",
        "a=[\n", "# c\n", "\r\n", "x\n"
      })
  @DisplayName("PACK-26: a cal.toml of one repeated piece gets a result")
  void onePieceAgainAndAgain(String piece) {
    PackAnswers.check(Packs.with(Packs.min(), "cal.toml", piece.repeat(20_000 / piece.length())));
  }

  @Test
  @DisplayName("PACK-26: a filter nested too deep is refused at its position")
  void deepFilters() {
    var source =
        Packs.replaced(
            Packs.full(),
            "cal.toml",
            "filter = 'kind = fact",
            "filter = '" + "(".repeat(10_000) + "kind = fact");
    assertThat(((ComposeResult.ComposeFailure) PackAnswers.check(source)).diagnostics())
        .anyMatch(it -> it.code() == DiagnosticCode.NESTING_TOO_DEEP);
  }

  @Test
  @DisplayName("PACK-09: a contract that is nested too deep is refused")
  void deepContracts() {
    String contract = "{\"not\":".repeat(5_000) + "true" + "}".repeat(5_000);
    var source = Packs.with(Packs.full(), "tools/contracts/search.schema.json", contract);
    assertThat(((ComposeResult.ComposeFailure) PackAnswers.check(source)).diagnostics())
        .anyMatch(it -> it.code() == DiagnosticCode.INVALID_CONTRACT);
  }
}
