package dev.caliber.lang.ast;

/** An action of a policy. */
public sealed interface ActionNode extends Node {
  record Summarize(NameNode memory, NodeOrigin origin) implements ActionNode {}

  record ExtractArtifacts(NameNode memory, NodeOrigin origin) implements ActionNode {}

  record Inject(NameNode memory, ModeNode mode, NodeOrigin origin) implements ActionNode {}

  record Prune(NameNode memory, CriteriaNode criteria, NodeOrigin origin) implements ActionNode {}

  record CheckpointActionNode(NameNode memory, NodeOrigin origin) implements ActionNode {}

  record Notify(TextNode channel, NodeOrigin origin) implements ActionNode {}
}
