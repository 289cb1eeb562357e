package dev.caliber.lang.syntax;

/** What a policy does. */
public sealed interface ActionNode extends Node {
  record Summarize(Name memory, Origin origin) implements ActionNode {}

  record ExtractArtifacts(Name memory, Origin origin) implements ActionNode {}

  record Inject(Name memory, ModeNode mode, Origin origin) implements ActionNode {}

  record Prune(Name memory, CriteriaNode criteria, Origin origin) implements ActionNode {}

  record Checkpoint(Name memory, Origin origin) implements ActionNode {}

  record Notify(Text channel, Origin origin) implements ActionNode {}
}
