package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.Name;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that policies, injections and parents name memories that the configuration defines. */
final class KnownMemories implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    if (program.damage().definitionsLost()) {
      return;
    }
    Stream.of(
            program.memoryFields(MemoryField.Parent.class).map(MemoryField.Parent::memory),
            program.actions().flatMap(action -> memory(action).stream()),
            program.injections().map(Definition.Injection::memory))
        .flatMap(names -> names)
        .filter(name -> !program.memoriesByName().containsKey(name.text()))
        .forEach(
            name ->
                diagnostics.report(
                    DiagnosticCode.UNKNOWN_MEMORY,
                    name.span(),
                    "unknown memory " + DiagnosticText.quote(name.text()),
                    () ->
                        DiagnosticText.suggest(
                            "memory", name.text(), program.memoriesByName().keySet())));
  }

  private static Optional<Name> memory(ActionNode action) {
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
