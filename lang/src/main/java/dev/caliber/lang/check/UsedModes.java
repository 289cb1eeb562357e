package dev.caliber.lang.check;

import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.InjectionField;
import dev.caliber.lang.syntax.Keywords;
import dev.caliber.lang.syntax.ModeNode;
import dev.caliber.lang.syntax.Name;
import java.util.Optional;
import java.util.Set;

/** The grammar gives every memory every mode; not every kind of record is injected in each. */
final class UsedModes implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .injections()
        .filter(injection -> program.catalogue().targets().contains(injection.target().text()))
        .forEach(injection -> check(program, injection, diagnostics));
    program
        .actions()
        .forEach(
            action -> {
              if (action instanceof ActionNode.Inject(var memory, var mode, _)) {
                check(program, memory, mode, diagnostics);
              }
            });
  }

  private static void check(
      Program program, Definition.Injection injection, Diagnostics diagnostics) {
    for (InjectionField field : injection.fields()) {
      if (field instanceof InjectionField.Mode(var mode, _)) {
        check(program, injection.memory(), mode, diagnostics);
      }
    }
  }

  private static void check(Program program, Name memory, ModeNode mode, Diagnostics diagnostics) {
    Optional.ofNullable(program.memoriesByName().get(memory.text()))
        .flatMap(program::kind)
        .ifPresent(
            kind ->
                program
                    .catalogue()
                    .modes(kind)
                    .filter(modes -> !modes.contains(word(mode)))
                    .ifPresent(modes -> report(memory, kind, mode, modes, diagnostics)));
  }

  private static void report(
      Name memory,
      String kind,
      ModeNode mode,
      Set<InjectionMode.Word> modes,
      Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.UNUSED_MODE,
        mode.span(),
        "memory %s is made of records '%s', which have no mode %s and come in full"
            .formatted(
                Wording.quote(memory.text()), kind, Wording.quote(Keywords.word(word(mode)))),
        "write " + Wording.list(modes.stream().map(Keywords::word).toList()));
  }

  private static InjectionMode.Word word(ModeNode mode) {
    return switch (mode) {
      case ModeNode.Full _ -> InjectionMode.Word.FULL;
      case ModeNode.Summary _ -> InjectionMode.Word.SUMMARY;
      case ModeNode.TopK _ -> InjectionMode.Word.TOP_K;
      case ModeNode.Relevant _ -> InjectionMode.Word.RELEVANT;
    };
  }
}
