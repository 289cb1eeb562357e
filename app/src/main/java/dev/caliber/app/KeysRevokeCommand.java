package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.server.access.ApiKeyInfo;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber keys revoke}. */
@Command(
    name = "revoke",
    header = "Revoke a key: requests with it, and its logins, are refused from now on.")
final class KeysRevokeCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "ID", description = "The key's id, as 'caliber keys list' shows it.")
  private String id = "";

  KeysRevokeCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    ApiKeyInfo revoked = revoke(Id.parse(id));
    commandContext.output().printResult(revoked, "Revoked the key '%s'.".formatted(revoked.name()));
    return ExitCode.OK.number();
  }

  private ApiKeyInfo revoke(Id key) {
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        return serverClient.post(
            "/keys/%s/revoke".formatted(key), ServerClient.newInput(), ApiKeyInfo.class);
      }
    }
    try (OpenStore store = commandContext.open()) {
      return commandContext.keys(store).revokeKey(key);
    }
  }
}
