package dev.caliber.agents;

import java.time.Duration;
import java.util.Optional;

/**
 * Sends a message. With a key, sending again changes nothing and is answered with the message that
 * is there.
 *
 * @param lasting when it expires unless it was taken; empty: never
 */
public record SendMessage(
    AgentId from,
    Address to,
    Letter letter,
    Priority priority,
    Optional<Duration> lasting,
    Optional<String> key)
    implements AgentCommand<Message> {
  public SendMessage {
    key.ifPresent(text -> Names.requireShort("key of a message", text));
    lasting.ifPresent(time -> Names.requireTime("time that a message lasts", time));
  }

  public static SendMessage of(AgentId from, Address to, Letter letter) {
    return new SendMessage(from, to, letter, Priority.NORMAL, Optional.empty(), Optional.empty());
  }

  public SendMessage ranked(Priority newPriority) {
    return new SendMessage(from, to, letter, newPriority, lasting, key);
  }

  public SendMessage lasting(Duration time) {
    return new SendMessage(from, to, letter, priority, Optional.of(time), key);
  }

  public SendMessage once(String newKey) {
    return new SendMessage(from, to, letter, priority, lasting, Optional.of(newKey));
  }
}
