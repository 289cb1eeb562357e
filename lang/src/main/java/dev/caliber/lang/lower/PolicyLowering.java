package dev.caliber.lang.lower;

import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.CriteriaNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.RuleNode;
import dev.caliber.lang.ast.TriggerNode;

/** Turns rules, triggers, actions and modes into their records. */
final class PolicyLowering {
  private PolicyLowering() {}

  static PolicyDefinition lower(Definition.Policy policy) {
    return new PolicyDefinition(
        policy.name().text(), policy.rules().stream().map(PolicyLowering::rule).toList());
  }

  private static PolicyRule rule(RuleNode rule) {
    return new PolicyRule(
        trigger(rule.trigger()), rule.actions().stream().map(PolicyLowering::action).toList());
  }

  static Trigger trigger(TriggerNode trigger) {
    return switch (trigger) {
      case TriggerNode.On(var trajectoryTriggerEvent, _) ->
          new Trigger.EventTrigger(trajectoryTriggerEvent);
      case TriggerNode.Schedule(var cron, _) ->
          new Trigger.ScheduleTrigger(Cron.parse(cron.value()));
    };
  }

  private static PolicyAction action(ActionNode action) {
    return switch (action) {
      case ActionNode.Summarize(var memory, _) -> new PolicyAction.SummarizeAction(memory.text());
      case ActionNode.ExtractArtifacts(var memory, _) ->
          new PolicyAction.ExtractArtifactsAction(memory.text());
      case ActionNode.Inject(var memory, var mode, _) ->
          new PolicyAction.InjectAction(memory.text(), mode(mode));
      case ActionNode.Prune(var memory, var criteria, _) ->
          new PolicyAction.PruneAction(memory.text(), criteria(criteria));
      case ActionNode.CheckpointActionNode(var memory, _) ->
          new PolicyAction.CheckpointAction(memory.text());
      case ActionNode.Notify(var channel, _) -> new PolicyAction.NotifyAction(channel.value());
    };
  }

  static InjectionMode mode(ModeNode mode) {
    return switch (mode) {
      case ModeNode.Full _ -> new InjectionMode.FullInjection();
      case ModeNode.Summary _ -> new InjectionMode.SummaryInjection();
      case ModeNode.TopK(var count, _) ->
          new InjectionMode.TopKInjection(count.value().intValueExact());
      case ModeNode.Relevant(var threshold, _) ->
          new InjectionMode.RelevantInjection(threshold.value().doubleValue());
    };
  }

  private static PruneCriteria criteria(CriteriaNode criteria) {
    return switch (criteria) {
      case CriteriaNode.OlderThan(var age, _) -> new PruneCriteria.AgeCriteria(age.duration());
      case CriteriaNode.BelowConfidence(var confidence, _) ->
          new PruneCriteria.ConfidenceCriteria(confidence.value().doubleValue());
    };
  }
}
