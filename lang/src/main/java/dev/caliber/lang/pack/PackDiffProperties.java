package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.kernel.pack.PackAgent;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.PackDiff.ChangeArea;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.ReferenceScanner;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All contents of a pack as single facts that can be compared. */
final class PackDiffProperties {
  private static final Span NOWHERE = new Span(1, 1, 1, 1);
  private static final String YES = "yes";
  private static final String CONTENT = "content";

  private final ComposeResult.ComposeSuccess composeSuccess;
  private final SortedMap<PackProperty, String> facts = new TreeMap<>();

  PackDiffProperties(ComposeResult.ComposeSuccess composeSuccess) {
    this.composeSuccess = composeSuccess;
  }

  /** One property of one subject. */
  record PackProperty(ChangeArea area, String subject, String what)
      implements Comparable<PackProperty> {
    private static final Comparator<PackProperty> ORDER =
        Comparator.comparing(PackProperty::area)
            .thenComparing(PackProperty::subject)
            .thenComparing(PackProperty::what);

    @Override
    public int compareTo(PackProperty other) {
      return ORDER.compare(this, other);
    }
  }

  SortedMap<PackProperty, String> all() {
    var pack = composeSuccess.ir();
    pack.tools().forEach(this::addTool);
    pack.agents().forEach(this::addAgent);
    pack.profiles()
        .forEach(profile -> addProfileSettings("profiles." + profile.name(), profile.knobs()));
    addPackFacts(pack);
    addConfigFacts(pack, composeSuccess.config());
    addSecrets();
    addFiles();
    return facts;
  }

  private void addFact(ChangeArea changeArea, String subject, String what, Object value) {
    facts.put(
        new PackProperty(changeArea, subject, what),
        value instanceof String text ? text : Json.text(value));
  }

  private void addFact(ChangeArea changeArea, String subject, String what, Optional<?> value) {
    value.ifPresent(present -> addFact(changeArea, subject, what, present));
  }

  private void addPermission(String tool, String what, boolean allowed) {
    if (allowed) {
      addFact(ChangeArea.CAPABILITY, tool, what, YES);
    }
  }

  private void addTool(PackTool tool) {
    String id = tool.id();
    addPermission(id, "allow_fs", tool.capabilities().fs());
    addPermission(id, "allow_network", tool.capabilities().network());
    addPermission(id, "allow_subprocess", tool.capabilities().subprocess());
    boolean exec = tool.kind() == PackTool.ToolKind.EXEC;
    addFact(exec ? ChangeArea.PROGRAM : ChangeArea.PROMPT, id, "file", tool.file());
    addFact(exec ? ChangeArea.PROGRAM : ChangeArea.PROMPT, id, CONTENT, hash(tool.file()));
    addFact(ChangeArea.TIME_LIMIT, id, "timeout_ms", tool.timeoutMs());
    addFact(ChangeArea.CONTRACT, id, "contract", tool.outputSchema());
    addFact(ChangeArea.CONTRACT, id, "result_format", tool.resultFormat().map(Keywords::word));
    addFact(ChangeArea.META, id, "description", tool.description());
  }

  private void addAgent(PackAgent agent) {
    String name = "agents." + agent.name();
    agent.tools().forEach(tool -> addFact(ChangeArea.TOOL_ACCESS, name, tool, YES));
    addFact(ChangeArea.AGENT_STATE, name, "enabled", agent.enabled());
    addFact(ChangeArea.CONNECTION, name, "adapter", agent.adapter());
    addFact(ChangeArea.TOKEN_BUDGET, name, "token_budget", agent.tokenBudget());
    addFact(ChangeArea.PROFILE, name, "profile", agent.profile());
    addProfileSettings(name, agent.knobs());
    addFact(ChangeArea.PROMPT, name, "file", agent.promptFile());
    addFact(ChangeArea.PROMPT, name, CONTENT, hash(agent.promptFile()));
  }

  private void addProfileSettings(String subject, ProfileSettings profileSettings) {
    addFact(ChangeArea.RETENTION, subject, "retention", Keywords.word(profileSettings.retention()));
    addFact(ChangeArea.PROFILE, subject, "index", Keywords.word(profileSettings.index()));
    addFact(ChangeArea.PROFILE, subject, "embeddings", Keywords.word(profileSettings.embeddings()));
    addFact(ChangeArea.FORMAT, subject, "format", profileSettings.format());
  }

  private void addPackFacts(Pack pack) {
    addFact(ChangeArea.TOKEN_BUDGET, "defaults", "token_budget", pack.defaults().tokenBudget());
    addFact(ChangeArea.FORMAT, "defaults", "context_format", pack.defaults().contextFormat());
    addFact(ChangeArea.STRICTNESS, "defaults", "strict_markdown", pack.defaults().strictMarkdown());
    addFact(ChangeArea.STRICTNESS, "defaults", "strict_refs", pack.defaults().strictRefs());
    addFact(ChangeArea.PROFILE, "settings", "matrix", pack.matrix());
    addFact(ChangeArea.META, "meta", "version", pack.meta().version());
    addFact(ChangeArea.META, "meta", "project", pack.meta().project());
    addFact(ChangeArea.ROUTING, "routing", "all", pack.routing());
    pack.formats().forEach(it -> addFact(ChangeArea.FORMAT, "formats." + it.name(), "all", it));
    pack.toolsets()
        .forEach(it -> addFact(ChangeArea.META, "toolsets." + it.name(), "tools", it.tools()));
    pack.providers()
        .forEach(it -> addFact(ChangeArea.CONNECTION, "providers." + it.name(), "all", it));
  }

  private void addConfigFacts(Pack pack, CompiledConfig config) {
    config
        .adapters()
        .forEach(it -> addFact(ChangeArea.CONNECTION, "adapters." + it.name(), "all", it));
    for (var memory : config.memories()) {
      addFact(ChangeArea.RETENTION, "memories." + memory.name(), "retention", memory.retention());
      addFact(ChangeArea.MEMORY, "memories." + memory.name(), "all", memory);
    }
    for (int i = 0; i < config.policies().size(); i++) {
      var policy = config.policies().get(i);
      addFact(ChangeArea.POLICY, "policies." + policy.name(), "rules", policy.rules());
      addFact(ChangeArea.POLICY, "policies." + policy.name(), "place", i);
      addFact(ChangeArea.RETENTION, "policies." + policy.name(), "prune", pruneActions(policy));
    }
    for (var injection : pack.injections()) {
      var rule = config.injections().get(injection.rule());
      addFact(
          ChangeArea.TOKEN_BUDGET,
          "injections." + injection.name(),
          "max_tokens",
          rule.maxTokens());
      addFact(ChangeArea.INJECTION, "injections." + injection.name(), "all", rule);
      addFact(
          ChangeArea.INJECTION,
          "injections." + injection.name(),
          "entity_type",
          injection.entityType().map(Keywords::word));
    }
  }

  /** Returns the pruning actions, which count as retention. */
  private static Optional<List<PolicyAction>> pruneActions(PolicyDefinition policy) {
    return Optional.of(
            policy.rules().stream()
                .flatMap(rule -> rule.actions().stream())
                .filter(PolicyAction.PruneAction.class::isInstance)
                .toList())
        .filter(prunes -> !prunes.isEmpty());
  }

  /** Adds references to secrets; prompts cannot contain them, so all come from cal.toml. */
  private void addSecrets() {
    ReferenceScanner.scan(composeSuccess.irJson(), (_, _) -> NOWHERE, new Diagnostics("")).stream()
        .filter(Reference.EnvironmentReference.class::isInstance)
        .forEach(it -> addFact(ChangeArea.SECRET, it.path(), "read", YES));
  }

  /** Adds the files; any of them may be run by a program. */
  private void addFiles() {
    boolean runs =
        composeSuccess.ir().tools().stream()
            .anyMatch(tool -> tool.kind() == PackTool.ToolKind.EXEC);
    composeSuccess
        .lock()
        .hashes()
        .forEach((path, hash) -> addFact(runs ? area(path) : ChangeArea.FILE, path, CONTENT, hash));
  }

  private ChangeArea area(String path) {
    boolean told =
        path.equals(PackSource.MANIFEST)
            || composeSuccess.ir().agents().stream().anyMatch(it -> it.promptFile().equals(path))
            || composeSuccess.ir().tools().stream().anyMatch(it -> it.file().equals(path));
    return told ? ChangeArea.FILE : ChangeArea.PROGRAM;
  }

  private String hash(String path) {
    return composeSuccess.lock().hashes().getOrDefault(path, "");
  }
}
