package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.pcp.Checked;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber assemble}. */
@Command(
    name = "assemble",
    header = "Compose the context for the next model call, under a hard budget of tokens.",
    description = {
      "Prints the window's text to the output, and its id and size to the error stream; with"
          + " --json both as one value. 'caliber explain' says why each item is in or out. With"
          + " pcp.validation = \"always\" it also says what is wrong with what the window stands on.",
      "With --query, what is relevant to it is found by words and by meaning; --words does without"
          + " the embedding model, which takes most of the time of a call."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber assemble thread-7 --query \"Where does she like to sit?\" --budget 1000",
      "  caliber assemble thread-7 --model gpt-4o --format openai > messages.json",
      "  caliber assemble thread-7 --dry-run --json",
    })
final class AssembleCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private String trajectory = "";

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "What the next answer is about. Without it: what is newest.")
  private Optional<String> query = Optional.empty();

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "The most tokens; at most context.token-budget, which is the value without it.")
  private Optional<Integer> budget = Optional.empty();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description =
          "Count tokens as this model does (models.tokens). Without it, and for a model that nobody"
              + " knows: an estimate with a margin.")
  private Optional<String> model = Optional.empty();

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      description = "Count by this tokenizer, such as o200k_base, whatever the model.")
  private Optional<String> tokenizer = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "How the window is written: xml, markdown, openai or anthropic. Without it:"
              + " context.format.")
  private Optional<ContextFormat> format = Optional.empty();

  @Option(names = "--words", description = "Find by words alone, without the embedding model.")
  private boolean words;

  @Option(names = "--dry-run", description = "Store nothing: no window, no trace.")
  private boolean dryRun;

  @Option(
      names = "--dosed",
      description = "Hold the window to pcp.dosage: tokens, scopes, artifacts, notes.")
  private boolean dosed;

  AssembleCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Checked made = workbench.ask(this::ask, this::assemble);
    workbench.output().result(made, () -> print(made));
    return ExitCode.OK.number();
  }

  private Checked assemble() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, query.isPresent() && !words)) {
      AssembleRequest request =
          new AssembleRequest(
              context.trajectory(space, trajectory),
              query,
              budget,
              model,
              tokenizer,
              format,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              dryRun);
      return context.guardian().assemble(space, request, dosed);
    }
  }

  private Checked ask(Remote remote) {
    Id wanted = remote.trajectory(trajectory);
    ObjectNode input = Remote.input().put("trajectory", wanted.toString());
    input.put("dry_run", dryRun).put("dosed", dosed);
    Remote.put(input, "query", query);
    Remote.put(input, "max_tokens", budget);
    Remote.put(input, "model", model);
    Remote.put(input, "tokenizer", tokenizer);
    Remote.put(input, "format", format);
    return remote.post("/context/assemble", input, Checked.class);
  }

  private void print(Checked made) {
    Window window = made.window();
    workbench.terminal().line(made.text().stripTrailing());
    workbench
        .terminal()
        .note(
            "%s: %,d of %,d tokens (counter: %s), %d of %d candidates%s"
                .formatted(
                    dryRun ? "Dry run" : "Window " + window.id(),
                    window.usedTokens(),
                    window.maxTokens(),
                    window.recipe().counter(),
                    window.ledger().stream().filter(line -> line.decision().isIn()).count(),
                    window.ledger().size(),
                    window.inputs().degraded().map(reason -> "; " + reason).orElse("")));
    made.report().ifPresent(report -> Issues.note(report.issues(), workbench.terminal()));
  }
}
