package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.pcp.Checked;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
          + " the embedding model, which takes most of the time of a call.",
      "With --format trust the window is a prompt of two messages: the rules of trust"
          + " (context.trust.rules), and every item as data, with its class, how far it is trusted"
          + " and what to mind. The metadata entry 'source' of a record says its class: code, rfc,"
          + " documentation, paper, best_practice, tutorial, stack_overflow or blog_post; all else is"
          + " history.",
      "With --as-of the window is one of that time: the same time gives the same bytes again, after"
          + " a crash, too, as long as --query does not search what was written since."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber assemble thread-7 --query \"Where does she like to sit?\" --budget 1000",
      "  caliber assemble thread-7 --model gpt-4o --format openai > messages.json",
      "  caliber assemble thread-7 --query \"Is it open?\" --format trust > messages.json",
      "  caliber assemble thread-7 --as-of 2026-03-01T09:30:00Z --dry-run",
      "  caliber assemble thread-7 --ttl 30d",
      "  caliber assemble thread-7 --dry-run --json",
    })
final class AssembleCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

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
          "How the window is written: xml, markdown, openai, anthropic or trust, which says of each"
              + " item how far it is trusted. Without it: context.format.")
  private Optional<ContextFormat> format = Optional.empty();

  @Option(
      names = "--words",
      description =
          "Find by words alone, without the embedding model. Refused with --query where a server"
              + " holds the store: it finds by both.")
  private boolean words;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "As memory was at this time: a date, or a time with its offset.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description = "For whom the window is; refused where the session belongs to another subject.")
  private Optional<String> subject = Optional.empty();

  @Mixin private KeepOptions keep = new KeepOptions();

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
    requireFit();
    Optional<Instant> time = asOf.map(text -> Moment.parse("--as-of", text));
    Optional<Persistence> persistence = keep.persistence();
    Checked made = workbench.ask(remote -> ask(remote, time), () -> assemble(time, persistence));
    workbench.output().result(made, () -> print(made));
    return ExitCode.OK.number();
  }

  private void requireFit() {
    if (dryRun && !keep.isEmpty()) {
      throw AppException.optionsDoNotFit(
          "--dry-run stores nothing, and --keep and --ttl say how long to store it",
          "Leave out one side.");
    }
  }

  private Checked assemble(Optional<Instant> time, Optional<Persistence> persistence) {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, query.isPresent() && !words)) {
      AssembleRequest request =
          new AssembleRequest(
              trajectory.of(context, space),
              query,
              budget,
              model,
              tokenizer,
              format,
              Optional.empty(),
              persistence,
              time,
              dryRun,
              subject,
              Optional.empty());
      return context.guardian().assemble(space, request, dosed);
    }
  }

  private Checked ask(Remote remote, Optional<Instant> time) {
    if (words && query.isPresent()) {
      throw AppException.serverFindsByBoth();
    }
    Id wanted = trajectory.of(remote);
    ObjectNode input = Remote.input().put("trajectory", wanted.toString());
    input.put("dry_run", dryRun).put("dosed", dosed);
    Remote.put(input, "query", query);
    Remote.put(input, "max_tokens", budget);
    Remote.put(input, "model", model);
    Remote.put(input, "tokenizer", tokenizer);
    Remote.put(input, "format", format);
    Remote.put(input, "as_of", time);
    Remote.put(input, "subject", subject);
    keep.put(input);
    return remote.post("/context/assemble", input, Checked.class);
  }

  private String name(Window window) {
    return dryRun ? "Dry run" : keep.isEphemeral() ? "Not kept" : "Window " + window.id();
  }

  private void print(Checked made) {
    Window window = made.window();
    workbench.terminal().line(made.text().stripTrailing());
    workbench
        .terminal()
        .note(
            "%s: %,d of %,d tokens (counter: %s), %d of %d candidates%s"
                .formatted(
                    name(window),
                    window.usedTokens(),
                    window.maxTokens(),
                    window.recipe().counter(),
                    window.ledger().stream().filter(line -> line.decision().isIn()).count(),
                    window.ledger().size(),
                    window.inputs().degraded().map(reason -> "; " + reason).orElse("")));
    made.report().ifPresent(report -> Issues.note(report.issues(), workbench.terminal()));
  }
}
