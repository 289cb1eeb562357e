package dev.caliber.agents.registry;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes of agents. */
public enum AgentsErrorCode implements ErrorCode {
  NOT_REGISTERED(ErrorKind.NOT_FOUND, "Register the agent in this space first."),
  AGENT_FAILED(
      ErrorKind.CONFLICT,
      "Send a heartbeat of the agent, then check which leases and tasks it still holds."),
  AGENT_BUSY(
      ErrorKind.CONFLICT,
      "End or release the named item first, or unregister the agent with give_back."),
  CIRCULAR_REPORTING(ErrorKind.INVALID),
  PERMISSION_DENIED(
      ErrorKind.DENIED, "Ask the operator who registers the agent to grant this action."),
  LEASE_NOT_ACQUIRED(ErrorKind.CONFLICT, "Retry later, or request a place in the lease queue."),
  LEASE_EXPIRED(
      ErrorKind.CONFLICT,
      "Acquire the lease again, then read the protected records again before you write."),
  DEADLOCK(
      ErrorKind.CONFLICT, "Release a lease that another agent of the cycle waits for, then retry."),
  STALE_FENCE(
      ErrorKind.CONFLICT,
      "Acquire the lease again, then read the protected records again before you write."),
  MESSAGE_DELIVERY_FAILED(ErrorKind.CONFLICT),
  IDEMPOTENCY_KEY_REUSED(ErrorKind.CONFLICT, "Use a new idempotency key for each new message."),
  INBOX_FULL(
      ErrorKind.LIMIT,
      "Retry when the receiver has acknowledged some of the messages in the inbox."),
  DELEGATION_FAILED(ErrorKind.CONFLICT),
  HANDOFF_FAILED(ErrorKind.CONFLICT),
  TOO_MANY_BLOCKING_CALLS(
      ErrorKind.UNAVAILABLE,
      "Retry later, wait in another process, or raise agents.blocking-calls.max-calls."),
  UNKNOWN_RECORD(ErrorKind.NOT_FOUND, "Check the id and the space.");

  private final ErrorTraits traits;

  AgentsErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.AGENT, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
