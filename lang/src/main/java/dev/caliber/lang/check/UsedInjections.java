package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Definition;
import java.util.TreeSet;

/** The grammar lets a memory be injected into another one; only targets of the runtime are read. */
final class UsedInjections implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    var read = new TreeSet<>(program.catalogue().targets());
    program
        .injections()
        .filter(injection -> program.memoriesByName().containsKey(injection.target().text()))
        .filter(injection -> !read.contains(injection.target().text()))
        .forEach(
            injection ->
                diagnostics.report(
                    DiagnosticCode.UNUSED_INJECTION,
                    injection.target().span(),
                    "memory " + into(injection) + ", which nothing reads",
                    "contexts are composed of what goes into " + Wording.list(read)));
  }

  private static String into(Definition.Injection injection) {
    String memory = injection.memory().text();
    String target = injection.target().text();
    return Wording.quote(memory)
        + " goes into "
        + (memory.equals(target) ? "itself" : "memory " + Wording.quote(target));
  }
}
