package dev.caliber.agents;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes of agents. */
public enum AgentsErrorCode implements ErrorCode {
  NOT_REGISTERED(ErrorKind.NOT_FOUND, "Register it first, in this space."),
  AGENT_FAILED(
      ErrorKind.CONFLICT, "Send a heartbeat, then check which leases and tasks it still holds."),
  AGENT_BUSY(ErrorKind.CONFLICT, "End or release it first, or unregister with give_back."),
  CIRCULAR_REPORTING(ErrorKind.INVALID),
  PERMISSION_DENIED(ErrorKind.DENIED, "Ask the operator who registers this agent for the grant."),
  LEASE_NOT_ACQUIRED(ErrorKind.CONFLICT, "Retry later, or request a place in the queue."),
  LEASE_EXPIRED(ErrorKind.CONFLICT, "Acquire it again, and read the protected records again."),
  DEADLOCK(ErrorKind.CONFLICT, "Release a lease that others wait for, then retry."),
  STALE_FENCE(ErrorKind.CONFLICT, "Acquire the lease again, and read the protected records again."),
  MESSAGE_DELIVERY_FAILED(ErrorKind.CONFLICT),
  IDEMPOTENCY_KEY_REUSED(ErrorKind.CONFLICT, "Use a new key for another message."),
  INBOX_FULL(ErrorKind.LIMIT, "Retry when some of its messages have been acknowledged."),
  DELEGATION_FAILED(ErrorKind.CONFLICT),
  HANDOFF_FAILED(ErrorKind.CONFLICT),
  TOO_MANY_BLOCKING_CALLS(ErrorKind.UNAVAILABLE, "Wait in another process, or retry later."),
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
