package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import java.util.List;
import java.util.Optional;

/**
 * A wish for mail that is asked again while it waits: at once, so that who may not have any is
 * refused, and then when there is some, since many may wait for what one of them gets.
 */
final class AwaitedMail {
  private final RecordedAgents agents;
  private final SpaceId space;
  private final ReceiveMessages command;
  private boolean asked;

  AwaitedMail(RecordedAgents agents, SpaceId space, ReceiveMessages command) {
    this.agents = agents;
    this.space = space;
    this.command = command;
  }

  Optional<List<Message>> taken() {
    if (asked && !agents.isWorthAsking(space, command)) {
      return Optional.empty();
    }
    asked = true;
    return Optional.of(agents.run(space, command)).filter(messages -> !messages.isEmpty());
  }
}
