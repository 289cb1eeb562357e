package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.lang.TextMateGrammar;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code caliber dsl grammar}. */
@Command(
    name = "grammar",
    header = "Print the TextMate grammar of the language, with which editors colour it.",
    description = "Generated from the words of the compiler itself.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber dsl grammar > caliber.tmLanguage.json")
final class DslGrammarCommand implements Callable<Integer> {
  private final Workbench workbench;

  DslGrammarCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    String grammar = TextMateGrammar.json();
    workbench.output().result(Json.read(grammar, JsonNode.class), grammar.stripTrailing());
    return ExitCode.OK.number();
  }
}
