package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.lang.TextMateGrammar;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code caliber dsl grammar}. */
@Command(
    name = "grammar",
    header = "Print the TextMate grammar of the language, for syntax colouring in editors.",
    description = "Generated from the keywords of the compiler.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber dsl grammar > caliber.tmLanguage.json")
final class DslGrammarCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  DslGrammarCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    String grammar = TextMateGrammar.json();
    commandContext
        .output()
        .printResult(Json.read(grammar, JsonNode.class), grammar.stripTrailing());
    return ExitCode.OK.number();
  }
}
