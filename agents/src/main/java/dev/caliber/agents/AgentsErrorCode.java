package dev.caliber.agents;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that agents are refused. */
public enum AgentsErrorCode implements ErrorCode {
  NOT_REGISTERED(ErrorKind.NOT_FOUND, "Register it first, in this space."),
  AGENT_FAILED(ErrorKind.CONFLICT, "Send a heartbeat, then look what it still holds."),
  AGENT_ENGAGED(ErrorKind.CONFLICT, "Let it end what it has, or have it given back."),
  CIRCULAR_REPORTING(ErrorKind.INVALID, ""),
  PERMISSION_DENIED(ErrorKind.DENIED, "Ask whoever registers this agent."),
  LOCK_ACQUISITION_FAILED(ErrorKind.CONFLICT, "Ask again later, or with a place in the queue."),
  LOCK_EXPIRED(ErrorKind.CONFLICT, "Acquire it again, and read again what it protects."),
  DEADLOCK(ErrorKind.CONFLICT, "Release what others wait for, then ask again."),
  STALE_FENCE(ErrorKind.CONFLICT, "Acquire the lease again, and read again what it protects."),
  MESSAGE_DELIVERY_FAILED(ErrorKind.CONFLICT, ""),
  MESSAGE_KEY_REUSED(ErrorKind.CONFLICT, "Take a new key for another message."),
  INBOX_FULL(ErrorKind.LIMIT, "Wait until some of its messages are taken."),
  DELEGATION_FAILED(ErrorKind.CONFLICT, ""),
  HANDOFF_FAILED(ErrorKind.CONFLICT, ""),
  TOO_MANY_WAITING(ErrorKind.UNAVAILABLE, "Wait in another process, or ask again later."),
  UNKNOWN_RECORD(ErrorKind.NOT_FOUND, "Check the id and the space.");

  private final ErrorKind kind;
  private final String advice;

  AgentsErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it, where that is always the same. */
  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.AGENT;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
