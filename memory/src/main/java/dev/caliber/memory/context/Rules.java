package dev.caliber.memory.context;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.memory.record.Injection;
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
 * Which rules fill a window: the settings' own sources, those of a deployed configuration in their
 * place, and what policies have injected into the trajectory.
 */
final class Rules {
  static final String CONVERSATION = "conversation";
  static final String RECALLED = "recalled";
  static final String SESSIONS = "sessions";
  private static final String ARTIFACTS = "artifacts";
  private static final String NOTES = "notes";
  private static final String HISTORY = "history";
  private static final String PERSONA = "persona";
  private static final String TARGET = "context";

  /** What other parts of a window are called. */
  private static final Set<String> RESERVED = Set.of(Section.SYSTEM, Explanation.FRAME);

  private static final Comparator<Rule> BY_PRIORITY =
      Comparator.comparingInt((Rule rule) -> rule.section().priority())
          .reversed()
          .thenComparing(rule -> rule.section().name());

  private final ContextConfig config;
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final Set<String> own = new HashSet<>();

  private Rules(ContextConfig config) {
    this.config = config;
  }

  /**
   * By priority.
   *
   * @param sessions whether the subject has other sessions to draw on
   */
  static List<Rule> of(
      ContextConfig config,
      Optional<CompiledConfig> deployed,
      List<Injection> injections,
      boolean sessions) {
    Rules rules = new Rules(config);
    rules.own();
    if (sessions) {
      rules.sessions();
    }
    deployed.ifPresent(found -> rules.deployed(found, injections));
    return rules.rules.values().stream().sorted(BY_PRIORITY).toList();
  }

  private void own() {
    var priorities = config.priorities();
    var reserves = config.assembly().reserves();
    var relevance = config.relevance();
    own(CONVERSATION, SourceKind.TURN, priorities.conversation(), 0, new InjectionMode.Full());
    own(
        RECALLED,
        SourceKind.TURN,
        priorities.recalled(),
        reserves.recalled(),
        new InjectionMode.Relevant(0));
    own(
        ARTIFACTS,
        SourceKind.ARTIFACT,
        priorities.artifacts(),
        reserves.artifacts(),
        new InjectionMode.Full());
    own(
        NOTES,
        SourceKind.NOTE,
        priorities.notes(),
        reserves.notes(),
        new InjectionMode.Relevant(relevance.noteMinimum()));
    own(
        HISTORY,
        SourceKind.SCOPE,
        priorities.history(),
        reserves.history(),
        new InjectionMode.Summary());
  }

  private void own(String name, SourceKind kind, int priority, double reserve, InjectionMode mode) {
    Section section =
        Section.of(name, kind, priority, Integer.MAX_VALUE, reserve, name.equals(CONVERSATION));
    own.add(name);
    rules.put(
        name,
        new Rule(section, mode, Optional.empty(), limit(kind), !name.equals(RECALLED), false));
  }

  private void sessions() {
    Section section =
        Section.of(
            SESSIONS,
            SourceKind.TURN,
            config.priorities().sessions(),
            Integer.MAX_VALUE,
            config.assembly().reserves().sessions(),
            false);
    var relevance = config.relevance();
    Cap limit = limit(relevance.sessionLimit(), "context.relevance.session-limit");
    InjectionMode mode = new InjectionMode.Relevant(relevance.noteMinimum());
    rules.put(SESSIONS, new Rule(section, mode, Optional.empty(), limit, false, true));
  }

  private Cap limit(SourceKind kind) {
    var relevance = config.relevance();
    return switch (kind) {
      case NOTE -> limit(relevance.noteLimit(), "context.relevance.note-limit");
      case TURN -> limit(relevance.turnLimit(), "context.relevance.turn-limit");
      case SYSTEM, TRAJECTORY, SCOPE, ARTIFACT -> limit();
    };
  }

  private Cap limit() {
    return limit(config.relevance().limit(), "context.relevance.limit");
  }

  private Cap limit(int records, String setting) {
    return Cap.of(records, setting, config.assembly().candidateLimit());
  }

  private void deployed(CompiledConfig found, List<Injection> injections) {
    List<InjectionRule> wanted = new ArrayList<>(found.injections());
    wanted.removeIf(rule -> !rule.target().equals(TARGET));
    Map<String, InjectionMode> modes = new LinkedHashMap<>();
    injections.forEach(injection -> modes.put(injection.memory(), injection.mode()));
    for (InjectionRule rule : wanted) {
      add(
          found.memory(rule.memory()).orElseThrow(),
          modes.containsKey(rule.memory()) ? modes.get(rule.memory()) : rule.mode(),
          rule);
      modes.remove(rule.memory());
    }
    modes.forEach(
        (memory, mode) ->
            found
                .memory(memory)
                .ifPresent(definition -> add(definition, mode, injected(definition, mode))));
  }

  /** A policy says what and how, not how much: the kind's priority, and all that is left. */
  private InjectionRule injected(MemoryDefinition memory, InjectionMode mode) {
    return new InjectionRule(
        memory.name(), TARGET, mode, priority(memory), Integer.MAX_VALUE, Optional.empty());
  }

  private int priority(MemoryDefinition memory) {
    Integer own = config.priorities().custom().get(memory.name().replace('_', '-'));
    var priorities = config.priorities();
    if (own != null) {
      return own;
    }
    return switch (MemoryKind.of(memory)) {
      case TURN -> priorities.conversation();
      case ARTIFACT -> priorities.artifacts();
      case NOTE -> memory.name().equals(PERSONA) ? priorities.persona() : priorities.notes();
      case SCOPE, TRAJECTORY -> priorities.history();
    };
  }

  private void add(MemoryDefinition memory, InjectionMode mode, InjectionRule rule) {
    SourceKind kind = kind(SourceKind.of(MemoryKind.of(memory)), mode);
    replaced(kind, mode).filter(own::remove).ifPresent(rules::remove);
    String name = unused(memory.name());
    boolean dialogue = kind == SourceKind.TURN && !(mode instanceof InjectionMode.Relevant);
    Section section = Section.of(name, kind, rule.priority(), rule.maxTokens(), 0, dialogue);
    rules.put(name, new Rule(section, mode, rule.filter(), limit(), true, false));
  }

  /** The summaries of turns are those of their scopes. */
  private static SourceKind kind(SourceKind kind, InjectionMode mode) {
    return kind == SourceKind.TURN && mode instanceof InjectionMode.Summary
        ? SourceKind.SCOPE
        : kind;
  }

  private static Optional<String> replaced(SourceKind kind, InjectionMode mode) {
    return switch (kind) {
      case TURN -> Optional.of(mode instanceof InjectionMode.Relevant ? RECALLED : CONVERSATION);
      case ARTIFACT -> Optional.of(ARTIFACTS);
      case NOTE -> Optional.of(NOTES);
      case SCOPE -> Optional.of(HISTORY);
      case TRAJECTORY, SYSTEM -> Optional.empty();
    };
  }

  private String unused(String name) {
    String found = name;
    for (int i = 2; rules.containsKey(found) || RESERVED.contains(found); i++) {
      found = name + "_" + i;
    }
    return found;
  }
}
