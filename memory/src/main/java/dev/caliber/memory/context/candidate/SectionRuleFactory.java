package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.memory.context.window.CandidateLimit;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.MemoryKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Factory for the rules that fill a window: those of the settings, those of a deployed
 * configuration, which replace them, and the injections of policies into the trajectory.
 */
public final class SectionRuleFactory {
  public static final String CONVERSATION = "conversation";
  static final String RECALLED = "recalled";
  static final String SESSIONS = "sessions";
  private static final String ARTIFACTS = "artifacts";
  private static final String NOTES = "notes";
  private static final String HISTORY = "history";
  private static final String PERSONA = "persona";
  private static final String TARGET = "context";

  /** Names of other parts of a window. */
  private static final Set<String> RESERVED = Set.of(WindowSection.SYSTEM, WindowSection.FRAME);

  private static final Comparator<SectionRule> BY_PRIORITY =
      Comparator.comparingInt((SectionRule sectionRule) -> sectionRule.section().priority())
          .reversed()
          .thenComparing(sectionRule -> sectionRule.section().name());

  private final ContextConfig config;
  private final Map<String, SectionRule> rules = new LinkedHashMap<>();
  private final Set<String> own = new HashSet<>();

  private SectionRuleFactory(ContextConfig config) {
    this.config = config;
  }

  /**
   * Returns the rules by priority.
   *
   * @param sessions whether the subject has other sessions
   */
  public static List<SectionRule> rulesFor(
      ContextConfig config,
      Optional<CompiledConfig> deployed,
      List<MemoryInjection> injections,
      boolean sessions) {
    SectionRuleFactory sectionRuleFactory = new SectionRuleFactory(config);
    sectionRuleFactory.addConfiguredRules();
    if (sessions) {
      sectionRuleFactory.addSessionsRule();
    }
    deployed.ifPresent(found -> sectionRuleFactory.addDeployedRules(found, injections));
    return sectionRuleFactory.rules.values().stream().sorted(BY_PRIORITY).toList();
  }

  private void addConfiguredRules() {
    var sectionPriorities = config.priorities();
    var budgetReserves = config.assembly().reserves();
    var relevanceSettings = config.relevance();
    addConfiguredRule(
        CONVERSATION,
        SourceKind.TURN,
        sectionPriorities.conversation(),
        0,
        new InjectionMode.FullInjection());
    addConfiguredRule(
        RECALLED,
        SourceKind.TURN,
        sectionPriorities.recalled(),
        budgetReserves.recalled(),
        new InjectionMode.RelevantInjection(0));
    addConfiguredRule(
        ARTIFACTS,
        SourceKind.ARTIFACT,
        sectionPriorities.artifacts(),
        budgetReserves.artifacts(),
        new InjectionMode.FullInjection());
    addConfiguredRule(
        NOTES,
        SourceKind.NOTE,
        sectionPriorities.notes(),
        budgetReserves.notes(),
        new InjectionMode.RelevantInjection(relevanceSettings.noteMinimum()));
    addConfiguredRule(
        HISTORY,
        SourceKind.SCOPE,
        sectionPriorities.history(),
        budgetReserves.history(),
        new InjectionMode.SummaryInjection());
  }

  private void addConfiguredRule(
      String name, SourceKind kind, int priority, double reserve, InjectionMode mode) {
    WindowSection windowSection =
        WindowSection.of(
            name, kind, priority, Integer.MAX_VALUE, reserve, name.equals(CONVERSATION));
    own.add(name);
    rules.put(
        name,
        new SectionRule(
            windowSection, mode, Optional.empty(), limit(kind), !name.equals(RECALLED), false));
  }

  private void addSessionsRule() {
    WindowSection windowSection =
        WindowSection.of(
            SESSIONS,
            SourceKind.TURN,
            config.priorities().sessions(),
            Integer.MAX_VALUE,
            config.assembly().reserves().sessions(),
            false);
    var relevanceSettings = config.relevance();
    CandidateLimit limit =
        limit(relevanceSettings.sessionLimit(), "context.relevance.session-limit");
    InjectionMode mode = new InjectionMode.RelevantInjection(relevanceSettings.noteMinimum());
    rules.put(SESSIONS, new SectionRule(windowSection, mode, Optional.empty(), limit, false, true));
  }

  private CandidateLimit limit(SourceKind kind) {
    var relevanceSettings = config.relevance();
    return switch (kind) {
      case NOTE -> limit(relevanceSettings.noteLimit(), "context.relevance.note-limit");
      case TURN -> limit(relevanceSettings.turnLimit(), "context.relevance.turn-limit");
      case SYSTEM, TRAJECTORY, SCOPE, ARTIFACT -> limit();
    };
  }

  private CandidateLimit limit() {
    return limit(config.relevance().recordLimit(), "context.relevance.record-limit");
  }

  private CandidateLimit limit(int records, String setting) {
    return CandidateLimit.of(records, setting, config.assembly().candidateLimit());
  }

  private void addDeployedRules(CompiledConfig found, List<MemoryInjection> injections) {
    List<InjectionRule> wanted = new ArrayList<>(found.injections());
    wanted.removeIf(rule -> !rule.target().equals(TARGET));
    Map<String, InjectionMode> modes = new LinkedHashMap<>();
    injections.forEach(
        memoryInjection -> modes.put(memoryInjection.memory(), memoryInjection.mode()));
    for (InjectionRule rule : wanted) {
      addRule(
          found.memory(rule.memory()).orElseThrow(),
          modes.containsKey(rule.memory()) ? modes.get(rule.memory()) : rule.mode(),
          rule);
      modes.remove(rule.memory());
    }
    modes.forEach(
        (memory, mode) ->
            found
                .memory(memory)
                .ifPresent(
                    definition -> addRule(definition, mode, injectionRule(definition, mode))));
  }

  /**
   * Returns a rule for a policy's injection, which has no limits: the kind's priority, and all
   * tokens left.
   */
  private InjectionRule injectionRule(MemoryDefinition memory, InjectionMode mode) {
    return new InjectionRule(
        memory.name(), TARGET, mode, priority(memory), Integer.MAX_VALUE, Optional.empty());
  }

  private int priority(MemoryDefinition memory) {
    Integer own = config.priorities().custom().get(memory.name().replace('_', '-'));
    var sectionPriorities = config.priorities();
    if (own != null) {
      return own;
    }
    return switch (MemoryKind.of(memory)) {
      case TURN -> sectionPriorities.conversation();
      case ARTIFACT -> sectionPriorities.artifacts();
      case NOTE ->
          memory.name().equals(PERSONA) ? sectionPriorities.persona() : sectionPriorities.notes();
      case SCOPE, TRAJECTORY -> sectionPriorities.history();
    };
  }

  private void addRule(MemoryDefinition memory, InjectionMode mode, InjectionRule rule) {
    SourceKind kind = effectiveKind(SourceKind.of(MemoryKind.of(memory)), mode);
    replacedRule(kind, mode).filter(own::remove).ifPresent(rules::remove);
    String name = unusedName(memory.name());
    boolean dialogue =
        kind == SourceKind.TURN && !(mode instanceof InjectionMode.RelevantInjection);
    WindowSection windowSection =
        WindowSection.of(name, kind, rule.priority(), rule.maxTokens(), 0, dialogue);
    rules.put(name, new SectionRule(windowSection, mode, rule.filter(), limit(), true, false));
  }

  /** Returns scopes for summaries of turns, because the scopes have the summaries. */
  private static SourceKind effectiveKind(SourceKind kind, InjectionMode mode) {
    return kind == SourceKind.TURN && mode instanceof InjectionMode.SummaryInjection
        ? SourceKind.SCOPE
        : kind;
  }

  private static Optional<String> replacedRule(SourceKind kind, InjectionMode mode) {
    return switch (kind) {
      case TURN ->
          Optional.of(mode instanceof InjectionMode.RelevantInjection ? RECALLED : CONVERSATION);
      case ARTIFACT -> Optional.of(ARTIFACTS);
      case NOTE -> Optional.of(NOTES);
      case SCOPE -> Optional.of(HISTORY);
      case TRAJECTORY, SYSTEM -> Optional.empty();
    };
  }

  private String unusedName(String name) {
    String found = name;
    for (int i = 2; rules.containsKey(found) || RESERVED.contains(found); i++) {
      found = name + "_" + i;
    }
    return found;
  }
}
