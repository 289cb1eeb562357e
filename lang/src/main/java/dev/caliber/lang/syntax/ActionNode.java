package dev.caliber.lang.syntax;

/** An action of a policy. */
public sealed interface ActionNode extends Node {
  record Summarize(Name memory, NodeOrigin origin) implements ActionNode {}

  record ExtractArtifacts(Name memory, NodeOrigin origin) implements ActionNode {}

  record Inject(Name memory, ModeNode mode, NodeOrigin origin) implements ActionNode {}

  record Prune(Name memory, CriteriaNode criteria, NodeOrigin origin) implements ActionNode {}

  record CheckpointActionNode(Name memory, NodeOrigin origin) implements ActionNode {}

  record Notify(Text channel, NodeOrigin origin) implements ActionNode {}
}
