package dev.caliber.agents;

import dev.caliber.memory.TraceEvent;
import dev.caliber.store.Transaction;

/** What is written down of a refusal: who wanted it, and its code. */
final class Refusals {
  static final String EVENT = "agent_refused";

  private static final AgentId SYSTEM = new AgentId("system");

  private Refusals() {}

  static TraceEvent of(Transaction transaction, AgentCommand<?> command, AgentsException refusal) {
    return Desk.traced(
        transaction,
        EVENT,
        actor(command),
        command.getClass().getSimpleName() + " " + refusal.code().name());
  }

  private static AgentId actor(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent register -> register.agent();
      case MoveAgent move -> move.agent();
      case Beat beat -> beat.agents().stream().findFirst().orElse(SYSTEM);
      case AcquireLease acquire -> acquire.agent();
      case RenewLease renew -> renew.agent();
      case ReleaseLease release -> release.agent();
      case LeaveQueue leave -> leave.agent();
      case SendMessage send -> send.from();
      case ReceiveMessages receive -> receive.agent();
      case AcknowledgeMessage acknowledge -> acknowledge.agent();
      case ReturnMessage giveBack -> giveBack.agent();
      case ReviveMessage _ -> SYSTEM;
    };
  }
}
