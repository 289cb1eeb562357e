package dev.caliber.lang.check;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that policies, injections and parents name memories that the configuration defines. */
final class MemoryReferenceCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    if (semanticModel.damage().definitionsLost()) {
      return;
    }
    Stream.of(
            semanticModel.memoryFields(MemoryField.Parent.class).map(MemoryField.Parent::memory),
            semanticModel.actions().flatMap(action -> memory(action).stream()),
            semanticModel.injections().map(Definition.Injection::memory))
        .flatMap(names -> names)
        .filter(nameNode -> !semanticModel.memoriesByName().containsKey(nameNode.text()))
        .forEach(
            nameNode ->
                diagnostics.report(
                    DiagnosticCode.UNKNOWN_MEMORY,
                    nameNode.span(),
                    "unknown memory " + DiagnosticText.quote(nameNode.text()),
                    () ->
                        DiagnosticText.suggest(
                            "memory", nameNode.text(), semanticModel.memoriesByName().keySet())));
  }

  private static Optional<NameNode> memory(ActionNode action) {
    return switch (action) {
      case ActionNode.Summarize(var memory, _) -> Optional.of(memory);
      case ActionNode.ExtractArtifacts(var memory, _) -> Optional.of(memory);
      case ActionNode.Inject(var memory, _, _) -> Optional.of(memory);
      case ActionNode.Prune(var memory, _, _) -> Optional.of(memory);
      case ActionNode.CheckpointActionNode(var memory, _) -> Optional.of(memory);
      case ActionNode.Notify _ -> Optional.empty();
    };
  }
}
