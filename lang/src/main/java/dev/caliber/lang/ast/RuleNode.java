package dev.caliber.lang.ast;

import java.util.List;

/** {@code on trigger: [action, …]} in a policy. */
public record RuleNode(TriggerNode trigger, List<ActionNode> actions, NodeOrigin origin)
    implements Node {
  public RuleNode {
    actions = NodeLists.requireNonEmpty(actions);
  }
}
