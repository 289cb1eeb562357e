package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.AdapterDefinition;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.PackAgent;
import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackMetadata;
import dev.caliber.kernel.pack.PackPrompt;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.kernel.pack.PackToolset;
import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.Catalogues;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.Packs;
import dev.caliber.lang.pack.manifest.ToolContract;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackComposerTest {
  private static List<Diagnostic> rejected(PackSource source) {
    return ((ComposeResult.ComposeFailure) Packs.COMPOSER.compose(source)).diagnostics();
  }

  @Test
  @DisplayName("PACK-32: the smallest pack composes without diagnostics")
  void theSmallestPackComposes() {
    var composeSuccess = Packs.composed(Packs.min());
    assertThat(composeSuccess.warnings()).isEmpty();
    assertThat(composeSuccess.ir().meta()).isEqualTo(new PackMetadata("1.0", "acme-support"));
    assertThat(composeSuccess.config().adapters())
        .extracting(AdapterDefinition::name)
        .containsExactly("sqlite_main");
  }

  @Test
  @DisplayName("PACK-04: meta and defaults are read")
  void readsDefaults() {
    assertThat(Packs.composed(Packs.min()).ir().defaults())
        .isEqualTo(new PackDefaults("xml", 8000, true, true, PackDefaults.SecretsMode.ENV_ONLY));
  }

  @Test
  @DisplayName("PACK-12: an agent has its profile's settings, its budget and its storage")
  void resolvesAgents() {
    var agents = Packs.composed(Packs.full()).ir().agents();
    assertThat(agents).extracting(PackAgent::name).containsExactly("support", "intern");
    assertThat(agents.get(0).knobs())
        .isEqualTo(
            new ProfileSettings(
                ProfileSettings.MemoryLifetime.PERSISTENT,
                ProfileSettings.MemoryIndexKind.HYBRID,
                ProfileSettings.EmbeddingSwitch.ON,
                "brief"));
    assertThat(agents).extracting(PackAgent::tokenBudget).containsExactly(16000, 8000);
    assertThat(agents)
        .extracting(PackAgent::adapter)
        .containsExactly("postgres_main", "sqlite_local");
    assertThat(agents).extracting(PackAgent::enabled).containsExactly(true, false);
  }

  @Test
  @DisplayName(
      "PACK-05: the matrix is a list of named states and says whether profiles are enforced")
  void readsTheMatrix() {
    var matrix = Packs.composed(Packs.min()).ir().matrix();
    assertThat(matrix.enforceProfilesOnly()).isTrue();
    assertThat(matrix.allowed())
        .extracting(allowedSettings -> allowedSettings.name())
        .containsExactly("local_dev", "prod_small");
  }

  @Test
  @DisplayName("PACK-07: without enforcement an agent may leave its profile's settings")
  void overrides() {
    var lax =
        Packs.replaced(
            Packs.replaced(
                Packs.min(),
                "cal.toml",
                "enforce_profiles_only = true",
                "enforce_profiles_only = false"),
            "cal.toml",
            "enabled = true",
            "enabled = true\nretention = \"scope\"");
    assertThat(Packs.composed(lax).ir().agents().getFirst().knobs().retention())
        .isEqualTo(ProfileSettings.MemoryLifetime.SCOPE);
  }

  @Test
  @DisplayName("PACK-11: toolsets expand to their tools, each once, in their order")
  void expandsToolsets() {
    var ir = Packs.composed(Packs.full()).ir();
    assertThat(ir.toolsets())
        .containsExactly(
            new PackToolset("core", List.of("tools.bin.fetch_url", "tools.prompts.search")),
            new PackToolset("reading", List.of("tools.prompts.search")));
    assertThat(ir.agents().getFirst().tools())
        .containsExactly("tools.prompts.search", "tools.bin.fetch_url");
  }

  @Test
  @DisplayName("PACK-10: a capability that a tool does not declare is forbidden")
  void capabilities() {
    var tools = Packs.composed(Packs.full()).ir().tools();
    assertThat(tools)
        .extracting(PackTool::capabilities)
        .containsExactly(
            new PackTool.ToolCapabilities(true, false, false),
            new PackTool.ToolCapabilities(false, false, false));
    assertThat(tools)
        .extracting(PackTool::timeoutMs)
        .containsExactly(Optional.of(30_000L), Optional.empty());
  }

  @Test
  @DisplayName("PACK-09: tools are described as the Model Context Protocol does")
  void describesTools() {
    var search = Packs.composed(Packs.full()).ir().tools().get(1);
    assertThat(search.inputSchema().toString())
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\"}},\"required\":[\"query\"]}");
    assertThat(search.outputSchema().orElseThrow().get("required").get(0).asString())
        .isEqualTo("hits");
  }

  @Test
  @DisplayName("PACK-34: a result is checked against the contract of its tool")
  void contractsHoldResults() {
    var schema = Packs.composed(Packs.full()).ir().tools().get(1).outputSchema().orElseThrow();
    var toolContract = ToolContract.of(schema);
    assertThat(toolContract.violations(Json.mapper().readTree("{\"hits\":[\"a\"]}"))).isEmpty();
    assertThat(toolContract.violations(Json.mapper().readTree("{\"hits\":[\"\"]}"))).hasSize(1);
    assertThat(toolContract.violations(Json.mapper().readTree("{}"))).hasSize(1);
  }

  @Test
  @DisplayName("PACK-13: injections know their entities, and routing its providers")
  void injectionsAndRouting() {
    var ir = Packs.composed(Packs.full()).ir();
    assertThat(ir.injections())
        .containsExactly(
            new PackInjection("facts", 0, Optional.of(PackInjection.InjectionEntityType.NOTE)),
            new PackInjection("drafts", 1, Optional.empty()));
    assertThat(ir.routing())
        .contains(
            new PackRouting(
                PackRouting.RoutingStrategy.LEAST_LATENCY,
                List.of("main", "local"),
                Optional.of("local"),
                Optional.of("main")));
  }

  @Test
  @DisplayName(
      "PACK-23: prompts are sections, tool calls with their payloads, a context query and inputs")
  void prompts() {
    var prompt = Packs.composed(Packs.full()).ir().agents().getFirst().prompt();
    assertThat(prompt.sections())
        .extracting(PackPrompt.PackPromptSection::kind)
        .containsExactly(
            PackPrompt.PackPromptSectionKind.SYSTEM,
            PackPrompt.PackPromptSectionKind.PCP,
            PackPrompt.PackPromptSectionKind.USER,
            PackPrompt.PackPromptSectionKind.USER);
    assertThat(prompt.inputs()).containsExactly("user_message", "user_name");
    assertThat(prompt.context()).isPresent();
    assertThat(prompt.invocations())
        .extracting(PackPrompt.ToolInvocation::tool)
        .containsExactly("tools.bin.fetch_url", "tools.prompts.search");
    assertThat(prompt.invocations())
        .extracting(PackPrompt.ToolInvocation::section)
        .containsExactly(Optional.empty(), Optional.of(2));
    assertThat(prompt.invocations().getFirst().payload()).isEqualTo("{}");
  }

  @Test
  @DisplayName("PACK-08: a variable of the environment remains a reference in every output")
  void variablesStayReferences() {
    var composeSuccess = Packs.composed(Packs.full());
    assertThat(composeSuccess.config().adapters().getFirst().connection())
        .isEqualTo("${ENV:CALIBER_DB_URL}");
    assertThat(composeSuccess.ir().providers().getFirst().apiKey()).contains("${ENV:MODEL_KEY}");
    assertThat(composeSuccess.dslSource()).contains("${ENV:CALIBER_DB_URL}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connection = \"${ENV:CALIBER_DB_URL}\"|connection = \"postgres://u:Tr0ub4dor-3x@h/d\"|Tr0ub4dor",
        "secrets_mode = \"env_only\"|secrets_mode = \"sk-abcdefghijklmnopqrstuvwxyz012345\"|abcdefghijkl",
        "profile = \"prod_small\"|profile = \"ghp_abcdefghijklmnopqrstuvwxyz0123456789\"|abcdefghijkl",
        "[toolsets.core]|[toolsets.\"sk-abcdefghijklmnopqrstuvwxyz012345\"]|abcdefghijkl"
      })
  @DisplayName("PACK-08: no diagnostic repeats a secret")
  void secretsAreNotRepeated(String row) {
    String[] cells = row.split("\\|", -1);
    var source = Packs.replaced(Packs.min(), "cal.toml", cells[0], cells[1]);
    assertThat(rejected(source)).isNotEmpty().noneMatch(it -> it.toLine().contains(cells[2]));
  }

  @Test
  @DisplayName("PACK-24: the same pack gives the same bytes, in any order of its files")
  void sameBytes() {
    var first = Packs.composed(Packs.full());
    var random = new Random(7);
    for (int i = 0; i < 20; i++) {
      var again = Packs.composed(PackSource.of(shuffled(Packs.files(Packs.full()), random)));
      assertThat(again)
          .isEqualTo(first)
          .extracting(ComposeResult.ComposeSuccess::hash)
          .isEqualTo(first.hash());
      assertThat(again.astJson()).isEqualTo(first.astJson());
      assertThat(again.dslSource()).isEqualTo(first.dslSource());
      assertThat(again.configJson()).isEqualTo(first.configJson());
      assertThat(again.irJson()).isEqualTo(first.irJson());
      assertThat(again.lock().text()).isEqualTo(first.lock().text());
    }
  }

  private static Map<String, byte[]> shuffled(Map<String, byte[]> files, Random random) {
    var paths = new ArrayList<>(files.keySet());
    Collections.shuffle(paths, random);
    var shuffled = new LinkedHashMap<String, byte[]>();
    paths.forEach(path -> shuffled.put(path, files.get(path)));
    return shuffled;
  }

  @Test
  @DisplayName("PACK-24: the tree as JSON has every definition, and no positions")
  void treesAsJson() {
    var tree = Json.mapper().readTree(Packs.composed(Packs.full()).astJson());
    assertThat(tree.get("node").asString()).isEqualTo("ast");
    assertThat(tree.get("definitions")).hasSize(7);
    assertThat(tree.toString()).doesNotContain("origin").doesNotContain("span");
  }

  @Test
  @DisplayName("PACK-24: the compiled configuration survives JSON")
  void configurationsSurviveJson() {
    var composeSuccess = Packs.composed(Packs.full());
    assertThat(Json.read(composeSuccess.configJson(), CompiledConfig.class))
        .isEqualTo(composeSuccess.config());
  }

  @Test
  @DisplayName("PACK-02: text about configuration in a prompt changes nothing but the prompt")
  void promptsDoNotConfigure() {
    var other =
        Packs.replaced(Packs.min(), "agents/support.md", "You are", "token_budget = 1. You are");
    assertThat(Packs.composed(other).config()).isEqualTo(Packs.composed(Packs.min()).config());
    assertThat(Packs.composed(other).ir().agents().getFirst().tokenBudget()).isEqualTo(8000);
  }

  @Test
  @DisplayName("PACK-36: there is one cal.toml; it includes no other file")
  void noIncludes() {
    var source =
        Packs.with(
            Packs.min(),
            "cal.toml",
            "include = [\"a.toml\"]\n" + Packs.min().text("cal.toml").orElseThrow());
    assertThat(rejected(source))
        .singleElement()
        .satisfies(it -> assertThat(it.code()).isEqualTo(DiagnosticCode.UNKNOWN_KEY));
  }

  @Test
  @DisplayName("PACK-31: packs do not change the language alone")
  void theLanguageStays() {
    String source = Packs.composed(Packs.full()).dslSource();
    assertThat(Compiler.create(Catalogues.product()).compile("x.caliber", source))
        .isInstanceOf(CompileResult.CompileSuccess.class);
  }

  @Test
  @DisplayName("PACK-26: all errors are one error for callers of the API")
  void asOneError() {
    var source =
        Packs.replaced(
            Packs.replaced(Packs.min(), "cal.toml", "enabled = true\n", ""),
            "agents/support.md",
            "## PCP",
            "## Rules");
    var error = ((ComposeResult.ComposeFailure) Packs.COMPOSER.compose(source)).error();
    assertThat(error.code()).isEqualTo(KernelErrorCode.MULTIPLE_ERRORS);
    assertThat(error.message()).contains("agents/support.md:4:1").contains("cal.toml:37:1");
  }

  @Test
  @DisplayName("PACK-26: a file that is not text is an error of that file")
  void notText() {
    var files = Packs.files(Packs.min());
    files.put("agents/support.md", new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(rejected(PackSource.of(files)))
        .extracting(it -> it.file() + " " + it.code())
        .contains("agents/support.md NOT_TEXT");
    files.put("cal.toml", new byte[] {(byte) 0xc3});
    assertThat(rejected(PackSource.of(files)))
        .extracting(it -> it.file() + " " + it.code())
        .containsExactly("cal.toml NOT_TEXT");
  }

  @Test
  @DisplayName("PACK-26: a cal.toml that is too long is refused with its limit")
  void tooLong() {
    byte[] tooLong = "#".repeat((1 << 20) + 1).getBytes(StandardCharsets.UTF_8);
    assertThat(rejected(PackSource.of(Map.of("cal.toml", tooLong))))
        .singleElement()
        .satisfies(it -> assertThat(it.code()).isEqualTo(DiagnosticCode.SOURCE_TOO_LARGE));
  }

  @Test
  @DisplayName("PACK-22: every unresolved reference is reported at its position")
  void unresolvedReferences() {
    var source =
        Packs.replaced(
            Packs.min(),
            "tools/prompts/search.md",
            "Find",
            "${meta.a} ${agents.b.c} ${tools.d.e} Find");
    assertThat(rejected(source))
        .extracting(it -> it.file() + ":" + it.span())
        .containsExactly(
            "tools/prompts/search.md:1:1-1:10",
            "tools/prompts/search.md:1:11-1:24",
            "tools/prompts/search.md:1:25-1:37");
  }

  @Test
  @DisplayName(
      "PACK-06: a profile matches a row by its values, and the error names the nearest row")
  void profilesMatchByValue() {
    var renamed =
        Packs.replaced(Packs.min(), "cal.toml", "name = \"prod_small\"", "name = \"other\"");
    assertThat(Packs.composed(renamed).ir().profiles()).hasSize(1);
    var wrong =
        Packs.replaced(renamed, "cal.toml", "index = \"embedding\"\n", "index = \"hybrid\"\n");
    assertThat(rejected(wrong))
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("profile 'prod_small'"))
        .satisfies(
            it -> assertThat(it.suggestion()).contains("'other', with index = \"embedding\""));
  }

  @Test
  @DisplayName("J-54: an agent may have a token budget of its own and repeat its profile's format")
  void budgetsMayDiffer() {
    var agent = Packs.composed(Packs.full()).ir().agents().getFirst();
    assertThat(agent.tokenBudget()).isNotEqualTo(8000);
    assertThat(agent.knobs().format()).isEqualTo("brief");
  }

  @Test
  @DisplayName("J-53: formats xml, json and markdown are built in, and providers are declared")
  void builtInFormats() {
    for (String format : List.of("xml", "json", "markdown", "formats.markdown")) {
      var source =
          Packs.replaced(
              Packs.min(),
              "cal.toml",
              "context_format = \"xml\"",
              "context_format = \"" + format + "\"");
      assertThat(Packs.composed(source).ir().defaults().contextFormat())
          .isEqualTo(format.replace("formats.", ""));
    }
    assertThat(Packs.composed(Packs.full()).ir().providers()).hasSize(2);
  }

  @Test
  @DisplayName(
      "J-56: the tree has adapters, memories, policies and injections; the rest is in the records beside it")
  void treesHoldWhatTheLanguageHas() {
    var composeSuccess = Packs.composed(Packs.full());
    assertThat(composeSuccess.ast().definitions())
        .extracting(it -> it.getClass().getSimpleName())
        .containsExactly(
            "Adapter", "Adapter", "Memory", "Memory", "Policy", "Injection", "Injection");
    assertThat(composeSuccess.ir().config()).isEqualTo(composeSuccess.config());
    assertThat(composeSuccess.dslSource()).doesNotContain("agent").doesNotContain("tools");
  }

  @Test
  @DisplayName(
      "PACK-35: TOML is read by a parser: escapes, dotted and quoted keys, several lines and"
          + " comments have their meaning")
  void readsRealToml() {
    String manifest =
        Packs.min()
            .text("cal.toml")
            .orElseThrow()
            .replace(
                "[meta]\nversion = \"1.0\"\nproject = \"acme-support\"",
                "meta . 'version' = \"\"\"\n1.\\\n   0\"\"\" # [meta]\n\"meta\".project = 'a = \"b\"'");
    assertThat(Packs.composed(Packs.with(Packs.min(), "cal.toml", manifest)).ir().meta())
        .isEqualTo(new PackMetadata("1.0", "a = \"b\""));
  }

  @Test
  @DisplayName("PACK-14: a strategy is one of four, and a hint names a declared provider")
  void routing() {
    for (var routingStrategy : PackRouting.RoutingStrategy.values()) {
      var source =
          Packs.replaced(
              Packs.full(),
              "cal.toml",
              "least_latency",
              routingStrategy.name().toLowerCase(Locale.ROOT));
      assertThat(Packs.composed(source).ir().routing().orElseThrow().strategy())
          .isEqualTo(routingStrategy);
    }
    assertThat(rejected(Packs.replaced(Packs.full(), "cal.toml", "\"providers.local\"", "\"x\"")))
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.UNKNOWN_REFERENCE);
  }
}
