package dev.caliber.lang.check;

import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.Optional;
import java.util.Set;

/** Warns about a mode that the memory's kind of record does not support. */
final class InjectionModeCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .injections()
        .filter(
            injection -> semanticModel.catalogue().targets().contains(injection.target().text()))
        .forEach(injection -> check(semanticModel, injection, diagnostics));
    semanticModel
        .actions()
        .forEach(
            action -> {
              if (action instanceof ActionNode.Inject(var memory, var mode, _)) {
                check(semanticModel, memory, mode, diagnostics);
              }
            });
  }

  private static void check(
      SemanticModel semanticModel, Definition.Injection injection, Diagnostics diagnostics) {
    for (InjectionField field : injection.fields()) {
      if (field instanceof InjectionField.Mode(var mode, _)) {
        check(semanticModel, injection.memory(), mode, diagnostics);
      }
    }
  }

  private static void check(
      SemanticModel semanticModel, NameNode memory, ModeNode mode, Diagnostics diagnostics) {
    Optional.ofNullable(semanticModel.memoriesByName().get(memory.text()))
        .flatMap(semanticModel::kind)
        .ifPresent(
            kind ->
                semanticModel
                    .catalogue()
                    .modes(kind)
                    .filter(modes -> !modes.contains(word(mode)))
                    .ifPresent(modes -> report(memory, kind, mode, modes, diagnostics)));
  }

  private static void report(
      NameNode memory,
      String kind,
      ModeNode mode,
      Set<InjectionMode.InjectionModeName> modes,
      Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.UNUSED_MODE,
        mode.span(),
        "memory %s consists of records '%s', which have no mode %s and are injected in full"
            .formatted(
                DiagnosticText.quote(memory.text()),
                kind,
                DiagnosticText.quote(Keywords.word(word(mode)))),
        "write " + DiagnosticText.list(modes.stream().map(Keywords::word).toList()));
  }

  private static InjectionMode.InjectionModeName word(ModeNode mode) {
    return switch (mode) {
      case ModeNode.Full _ -> InjectionMode.InjectionModeName.FULL;
      case ModeNode.Summary _ -> InjectionMode.InjectionModeName.SUMMARY;
      case ModeNode.TopK _ -> InjectionMode.InjectionModeName.TOP_K;
      case ModeNode.Relevant _ -> InjectionMode.InjectionModeName.RELEVANT;
    };
  }
}
