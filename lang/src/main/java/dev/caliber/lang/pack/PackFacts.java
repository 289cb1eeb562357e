package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.pack.Knobs;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.kernel.pack.PackAgent;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.PackDiff.Area;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.References;
import dev.caliber.lang.syntax.Keywords;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything that a pack says, as single facts that can be compared. */
final class PackFacts {
  private static final Span NOWHERE = new Span(1, 1, 1, 1);
  private static final String YES = "yes";
  private static final String CONTENT = "content";

  private final ComposeResult.Composed composed;
  private final SortedMap<Fact, String> facts = new TreeMap<>();

  PackFacts(ComposeResult.Composed composed) {
    this.composed = composed;
  }

  /** One property of one thing. */
  record Fact(Area area, String subject, String what) implements Comparable<Fact> {
    private static final Comparator<Fact> ORDER =
        Comparator.comparing(Fact::area).thenComparing(Fact::subject).thenComparing(Fact::what);

    @Override
    public int compareTo(Fact other) {
      return ORDER.compare(this, other);
    }
  }

  SortedMap<Fact, String> all() {
    var pack = composed.ir();
    pack.tools().forEach(this::tool);
    pack.agents().forEach(this::agent);
    pack.profiles().forEach(profile -> knobs("profiles." + profile.name(), profile.knobs()));
    whole(pack);
    compiled(pack, composed.config());
    secrets();
    files();
    return facts;
  }

  private void fact(Area area, String subject, String what, Object value) {
    facts.put(
        new Fact(area, subject, what), value instanceof String text ? text : Json.text(value));
  }

  private void fact(Area area, String subject, String what, Optional<?> value) {
    value.ifPresent(present -> fact(area, subject, what, present));
  }

  private void allowed(String tool, String what, boolean allowed) {
    if (allowed) {
      fact(Area.CAPABILITY, tool, what, YES);
    }
  }

  private void tool(PackTool tool) {
    String id = tool.id();
    allowed(id, "allow_fs", tool.capabilities().fs());
    allowed(id, "allow_network", tool.capabilities().network());
    allowed(id, "allow_subprocess", tool.capabilities().subprocess());
    boolean exec = tool.kind() == PackTool.Kind.EXEC;
    fact(exec ? Area.PROGRAM : Area.PROMPT, id, "file", tool.file());
    fact(exec ? Area.PROGRAM : Area.PROMPT, id, CONTENT, hash(tool.file()));
    fact(Area.TIME_LIMIT, id, "timeout_ms", tool.timeoutMs());
    fact(Area.CONTRACT, id, "contract", tool.outputSchema());
    fact(Area.CONTRACT, id, "result_format", tool.resultFormat().map(Keywords::word));
    fact(Area.META, id, "description", tool.description());
  }

  private void agent(PackAgent agent) {
    String name = "agents." + agent.name();
    agent.tools().forEach(tool -> fact(Area.TOOL_ACCESS, name, tool, YES));
    fact(Area.AGENT_STATE, name, "enabled", agent.enabled());
    fact(Area.CONNECTION, name, "adapter", agent.adapter());
    fact(Area.TOKEN_BUDGET, name, "token_budget", agent.tokenBudget());
    fact(Area.PROFILE, name, "profile", agent.profile());
    knobs(name, agent.knobs());
    fact(Area.PROMPT, name, "file", agent.promptFile());
    fact(Area.PROMPT, name, CONTENT, hash(agent.promptFile()));
  }

  private void knobs(String subject, Knobs knobs) {
    fact(Area.RETENTION, subject, "retention", Keywords.word(knobs.retention()));
    fact(Area.PROFILE, subject, "index", Keywords.word(knobs.index()));
    fact(Area.PROFILE, subject, "embeddings", Keywords.word(knobs.embeddings()));
    fact(Area.FORMAT, subject, "format", knobs.format());
  }

  private void whole(Pack pack) {
    fact(Area.TOKEN_BUDGET, "defaults", "token_budget", pack.defaults().tokenBudget());
    fact(Area.FORMAT, "defaults", "context_format", pack.defaults().contextFormat());
    fact(Area.STRICTNESS, "defaults", "strict_markdown", pack.defaults().strictMarkdown());
    fact(Area.STRICTNESS, "defaults", "strict_refs", pack.defaults().strictRefs());
    fact(Area.PROFILE, "settings", "matrix", pack.matrix());
    fact(Area.META, "meta", "version", pack.meta().version());
    fact(Area.META, "meta", "project", pack.meta().project());
    fact(Area.ROUTING, "routing", "all", pack.routing());
    pack.formats().forEach(it -> fact(Area.FORMAT, "formats." + it.name(), "all", it));
    pack.toolsets().forEach(it -> fact(Area.META, "toolsets." + it.name(), "tools", it.tools()));
    pack.providers().forEach(it -> fact(Area.CONNECTION, "providers." + it.name(), "all", it));
  }

  private void compiled(Pack pack, CompiledConfig config) {
    config.adapters().forEach(it -> fact(Area.CONNECTION, "adapters." + it.name(), "all", it));
    for (var memory : config.memories()) {
      fact(Area.RETENTION, "memories." + memory.name(), "retention", memory.retention());
      fact(Area.MEMORY, "memories." + memory.name(), "all", memory);
    }
    for (int i = 0; i < config.policies().size(); i++) {
      var policy = config.policies().get(i);
      fact(Area.POLICY, "policies." + policy.name(), "rules", policy.rules());
      fact(Area.POLICY, "policies." + policy.name(), "place", i);
      fact(Area.RETENTION, "policies." + policy.name(), "prune", pruned(policy));
    }
    for (var injection : pack.injections()) {
      var rule = config.injections().get(injection.rule());
      fact(Area.TOKEN_BUDGET, "injections." + injection.name(), "max_tokens", rule.maxTokens());
      fact(Area.INJECTION, "injections." + injection.name(), "all", rule);
      fact(
          Area.INJECTION,
          "injections." + injection.name(),
          "entity_type",
          injection.entityType().map(Keywords::word));
    }
  }

  /** What a policy takes away is about how long things stay. */
  private static Optional<List<PolicyAction>> pruned(PolicyDefinition policy) {
    return Optional.of(
            policy.rules().stream()
                .flatMap(rule -> rule.actions().stream())
                .filter(PolicyAction.Prune.class::isInstance)
                .toList())
        .filter(prunes -> !prunes.isEmpty());
  }

  /** Prompts have no such references, so that whatever the records hold is one of cal.toml. */
  private void secrets() {
    References.scan(composed.irJson(), (_, _) -> NOWHERE, new Diagnostics("")).stream()
        .filter(Reference.Environment.class::isInstance)
        .forEach(it -> fact(Area.SECRET, it.path(), "read", YES));
  }

  /** Programs bring files along; which of them they run, nobody can see. */
  private void files() {
    boolean runs =
        composed.ir().tools().stream().anyMatch(tool -> tool.kind() == PackTool.Kind.EXEC);
    composed
        .lock()
        .hashes()
        .forEach((path, hash) -> fact(runs ? area(path) : Area.FILE, path, CONTENT, hash));
  }

  private Area area(String path) {
    boolean told =
        path.equals(PackSource.MANIFEST)
            || composed.ir().agents().stream().anyMatch(it -> it.promptFile().equals(path))
            || composed.ir().tools().stream().anyMatch(it -> it.file().equals(path));
    return told ? Area.FILE : Area.PROGRAM;
  }

  private String hash(String path) {
    return composed.lock().hashes().getOrDefault(path, "");
  }
}
