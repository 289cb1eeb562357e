package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.Keys;
import dev.caliber.server.operation.Right;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber keys create}. */
@Command(
    name = "create",
    header = "Make an API key, and show its secret once.",
    description =
        "The store keeps a hash of the secret only. Send it as 'Authorization: Bearer KEY'; commands"
            + " take it from CALIBER_KEY.")
final class KeysCreateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "NAME", description = "What logs call whoever uses it.")
  private String name = "";

  @Option(
      names = "--right",
      paramLabel = "RIGHT",
      required = true,
      description = "read, write or admin; each includes those before it.")
  private Right right = Right.READ;

  @Option(
      names = "--for",
      paramLabel = "SPACE",
      split = ",",
      description = "Only for these spaces; may be given several times. Without it: all spaces.")
  private List<String> spaces = List.of();

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "How long it can be used, as in 30d. Without it: until it is revoked.")
  private Optional<String> ttl = Optional.empty();

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description =
          "Whoever uses it acts as this agent, with its grants: SPACE/NAME, or the name alone for a"
              + " key of one space (--for), in which it is registered.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Limits the key to one subject: it sees that subject's records and records without a"
              + " subject, and what it writes belongs to that subject. Not with the right admin.")
  private Optional<String> subject = Optional.empty();

  KeysCreateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        show(remote.post("/keys", input(), Keys.Created.class));
      }
    } else {
      try (OpenStore store = workbench.openOrCreate()) {
        show(workbench.keys(store).create(wish()));
      }
    }
    return ExitCode.OK.number();
  }

  private ObjectNode input() {
    ObjectNode input = Remote.input().put("name", name).put("right", right.name());
    Remote.put(input, "spaces", Optional.of(spaces).filter(some -> !some.isEmpty()));
    Remote.put(input, "ttl", ttl);
    Remote.put(input, "agent", agent);
    Remote.put(input, "subject", subject);
    return input;
  }

  private Keys.NewKey wish() {
    return new Keys.NewKey(
        name,
        right,
        spaces.stream().map(SpaceId::new).toList(),
        ttl.map(text -> Durations.parse("--ttl", text)),
        agent,
        subject);
  }

  private void show(Keys.Created made) {
    workbench.output().result(made, () -> print(made));
  }

  private void print(Keys.Created made) {
    workbench.terminal().line(made.secret());
    workbench
        .terminal()
        .note("This is shown once. Its id is %s, to revoke it.".formatted(made.key().id()));
  }
}
