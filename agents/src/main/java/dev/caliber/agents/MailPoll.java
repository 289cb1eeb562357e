package dev.caliber.agents;

import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.mail.Message;
import dev.caliber.kernel.SpaceId;
import java.util.List;
import java.util.Optional;

/**
 * Message request that is repeated while it waits. The first request runs at once, so that an agent
 * without permission is refused; later ones run only if there are messages, because many callers
 * may wait for a message that one of them gets.
 */
final class MailPoll {
  private final RecordStoreAgents agents;
  private final SpaceId space;
  private final ReceiveMessages command;
  private boolean asked;

  MailPoll(RecordStoreAgents agents, SpaceId space, ReceiveMessages command) {
    this.agents = agents;
    this.space = space;
    this.command = command;
  }

  Optional<List<Message>> pollMessages() {
    if (asked && !agents.shouldPollAgain(space, command)) {
      return Optional.empty();
    }
    asked = true;
    return Optional.of(agents.run(space, command)).filter(messages -> !messages.isEmpty());
  }
}
