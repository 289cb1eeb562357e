package dev.caliber.agents.command;

import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.InputChecks;
import dev.caliber.agents.registry.Recipient;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends a message. With a key, sending again changes nothing and returns the existing message.
 *
 * @param lasting the time after which it expires unless it was claimed; empty: never
 */
public record SendMessage(
    AgentId from,
    Recipient to,
    MessageContent letter,
    MessagePriority priority,
    Optional<Duration> lasting,
    Optional<String> key)
    implements AgentCommand<Message> {
  public SendMessage {
    key.ifPresent(text -> InputChecks.requireShortText("key of a message", text));
    lasting.ifPresent(time -> InputChecks.requireDuration("lifetime of a message", time));
  }

  public static SendMessage of(AgentId from, Recipient to, MessageContent messageContent) {
    return new SendMessage(
        from, to, messageContent, MessagePriority.NORMAL, Optional.empty(), Optional.empty());
  }

  public SendMessage withPriority(MessagePriority newPriority) {
    return new SendMessage(from, to, letter, newPriority, lasting, key);
  }

  public SendMessage withLifetime(Duration time) {
    return new SendMessage(from, to, letter, priority, Optional.of(time), key);
  }

  public SendMessage withKey(String newKey) {
    return new SendMessage(from, to, letter, priority, lasting, Optional.of(newKey));
  }
}
