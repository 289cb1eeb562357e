package dev.caliber.lang.pack.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.pack.check.PackCheck;
import dev.caliber.lang.pack.check.PackChecks;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each rule alone: its findings, and that a valid pack has none. */
class PackRulesTest {
  private static final PackSource RIGHT = Packs.full();

  static List<PackCheck> checks() {
    return PackChecks.ALL;
  }

  @ParameterizedTest
  @MethodSource("checks")
  @DisplayName("PACK-26: no rule reports an error in a valid pack")
  void whatIsRightPasses(PackCheck check) {
    assertThat(found(check, RIGHT)).isEmpty();
    assertThat(found(check, Packs.min())).isEmpty();
  }

  /** Rows of the rule, the file, a replacement in it, the code, and the reported text. */
  @ParameterizedTest
  @DisplayName("PACK-26: each rule finds its mistake, at its position, and nothing else")
  @ValueSource(
      strings = {
        "BuiltInFormatCheck|cal.toml|[formats.brief]|[formats.xml]|DUPLICATE_DEFINITION|[formats.xml]",
        "FormatReferenceCheck|cal.toml|format = \"brief\"|format = \"brif\"|UNKNOWN_REFERENCE|\"brif\"",
        "FormatReferenceCheck|cal.toml|context_format = \"formats.brief\"|context_format = \"brif\"|UNKNOWN_REFERENCE|\"brif\"",
        "ToolReferenceCheck|cal.toml|tools = [\"tools.prompts.search\"]|tools = [\"tools.x.y\"]|UNKNOWN_REFERENCE|\"tools.x.y\"",
        "ProviderReferenceCheck|cal.toml|\"main\"|\"mane\"|UNKNOWN_REFERENCE|\"mane\"",
        "ReferencesOfAgentsCheck|cal.toml|profile = \"prod\"|profile = \"prd\"|UNKNOWN_REFERENCE|\"prd\"",
        "ReferencesOfAgentsCheck|cal.toml|adapter = \"adapters.sqlite.local\"|adapter = \"sqlite.lokal\"|UNKNOWN_REFERENCE|\"sqlite.lokal\"",
        "ReferencesOfAgentsCheck|cal.toml|\"toolsets.reading\"|\"toolsets.readng\"|UNKNOWN_REFERENCE|\"toolsets.readng\"",
        "MatrixRowCheck|cal.toml|name = \"prod_small\"|name = \"local_dev\"|DUPLICATE_VALUE|\"local_dev\", retention = \"persistent\"",
        "AllowedProfileCheck|cal.toml|[profiles.local]\nretention = \"session\"|[profiles.local]\nretention = \"scope\"|PROFILE_NOT_ALLOWED|[profiles.local]",
        "EnforcedProfileCheck|cal.toml|enabled = false|embeddings = \"on\"|PROFILE_OVERRIDDEN|embeddings = \"on\"\nprofile",
        "ProfileSettingsCheck|cal.toml|index = \"none\", embeddings|index = \"embedding\", embeddings|INCOMPATIBLE_SETTINGS|{ name = \"local_dev\"",
        "AdapterKindCheck|cal.toml|type = \"sqlite\"|type = \"postgres\"|INCOMPATIBLE_SETTINGS|\"postgres\"\nconnection = \"caliber.db\"",
        "InjectionEntityCheck|cal.toml|memory = \"facts\"\ntarget|memory = \"artifact\"\ntarget|INCOMPATIBLE_SETTINGS|\"note\"",
        "TokenBudgetCheck|cal.toml|max_tokens = 500|max_tokens = 16001|BUDGET_EXCEEDED|16001",
        "ToolFileCheck|cal.toml|cmd = \"tools/bin/fetch_url\"|cmd = \"tools/bin/fetch\"|MISSING_FILE|\"tools/bin/fetch\"",
        "ToolFileCheck|cal.toml|cmd = \"tools/bin/fetch_url\"|cmd = \"../bin/fetch\"|PATH_OUTSIDE_PACK|\"../bin/fetch\"",
        "AgentFileCheck|cal.toml|\"agents/intern.md\"|\"agents/extern.md\"|MISSING_FILE|\"agents/extern.md\"",
        "ToolContractCheck|cal.toml|result_format = \"json\"|result_format = \"xml\"|INCOMPATIBLE_SETTINGS|\"tools/contracts/search.schema.json\"",
        "ToolContractCheck|tools/contracts/search.schema.json|\"string\"|\"strange\"|INVALID_CONTRACT|\"strange\"",
        "ManifestReferenceCheck|cal.toml|${meta.project}|${meta.author}|UNKNOWN_REFERENCE|${meta.author}",
        "ManifestReferenceCheck|cal.toml|${meta.project}|${INPUT:x}|REFERENCE_NOT_ALLOWED|${INPUT:x}",
        "ManifestSecretCheck|cal.toml|\"${ENV:MODEL_KEY}\"|\"hunter2\"|RAW_SECRET|\"hunter2\"",
        "FileSecretCheck|tools/bin/fetch_url|#!|# sk-abcdefghijklmnopqrstuvwxyz0123456789 #!|RAW_SECRET|sk-abc",
        "PromptReferenceCheck|agents/support.md|${meta.project}|${meta.author}|UNKNOWN_REFERENCE|${meta.author}",
        "GrantedToolCheck|cal.toml|toolsets = [\"toolsets.reading\", \"toolsets.core\"]|toolsets = [\"toolsets.reading\"]|TOOL_NOT_GRANTED|",
        "ToolCycleCheck|tools/prompts/search.md|Find|```tool\n${tools.prompts.search}\n```\nFind|TOOL_CYCLE|",
        "UnusedFileCheck|cal.toml|\"agents/intern.md\"|\"agents/support.md\"|UNUSED_FILE|"
      })
  void eachRuleFindsItsMistake(String row) {
    String[] cells = row.split("\\|", -1);
    var wrong = Packs.replaced(RIGHT, cells[1], cells[2], cells[3]);
    var found = found(named(cells[0]), wrong);
    if (cells[5].isEmpty()) {
      assertThat(found).isNotEmpty().allMatch(it -> it.startsWith(cells[4] + " "));
    } else {
      String place = place(wrong.text(cells[1]).orElseThrow(), cells[5]);
      assertThat(found).containsExactly(cells[4] + " " + cells[1] + ":" + place);
    }
  }

  @Test
  @DisplayName("PACK-26: every rule has a test with a finding")
  void everyRuleIsShown() throws NoSuchMethodException {
    var rows =
        PackRulesTest.class
            .getDeclaredMethod("eachRuleFindsItsMistake", String.class)
            .getAnnotation(ValueSource.class)
            .strings();
    assertThat(PackChecks.ALL)
        .allSatisfy(
            check ->
                assertThat(rows)
                    .anyMatch(row -> row.startsWith(check.getClass().getSimpleName() + "|")));
  }

  private static PackCheck named(String name) {
    return PackChecks.ALL.stream()
        .filter(check -> check.getClass().getSimpleName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> found(PackCheck check, PackSource source) {
    var reading = new PackDiagnostics();
    var tree = TomlReader.read(source.text("cal.toml").orElseThrow(), reading.inManifest());
    var root = ManifestShapeCheck.checkTree(tree, false, reading.inManifest()).root();
    var promptFiles = PromptFiles.read(root, source, reading);
    var packDiagnostics = new PackDiagnostics();
    check.run(ParsedPack.of(root, source, Set.of(), promptFiles), packDiagnostics);
    return packDiagnostics.sorted().stream()
        .map(it -> it.code() + " " + it.file() + ":" + it.span().line() + ":" + it.span().column())
        .toList();
  }

  private static String place(String text, String at) {
    String before = text.substring(0, text.indexOf(at));
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    return line + ":" + (before.length() - before.lastIndexOf('\n'));
  }
}
