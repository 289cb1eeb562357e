package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.server.access.KeyInfo;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber keys revoke}. */
@Command(name = "revoke", header = "Let nobody in with a key from now on, nor with its logins.")
final class KeysRevokeCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "ID", description = "As 'caliber keys list' shows it.")
  private String id = "";

  KeysRevokeCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    KeyInfo gone = revoke(Id.parse(id));
    workbench.output().result(gone, "Revoked the key '%s'.".formatted(gone.name()));
    return ExitCode.OK.number();
  }

  private KeyInfo revoke(Id key) {
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        return remote.post("/keys/%s/revoke".formatted(key), Remote.input(), KeyInfo.class);
      }
    }
    try (OpenStore store = workbench.open()) {
      return workbench.keys(store).revoke(key);
    }
  }
}
