package dev.caliber.server.mcp;

import tools.jackson.databind.JsonNode;

/** The outcome of a message. */
public sealed interface McpReply {

  /** No answer, to a notification. */
  record NoReply() implements McpReply {}

  record SingleReply(ReplyOutcome outcome, JsonNode message) implements McpReply {}

  /** A stream of messages that lasts until the client or the server ends it. */
  record StreamReply(ResourceSubscription subscription) implements McpReply {}

  /** The stage that a message reached, for transports with a status of their own. */
  enum ReplyOutcome {
    /** The method ran; its answer may still be an error. */
    ANSWERED,
    /** The message was refused before any method ran. */
    MALFORMED,
    /** The method does not exist. */
    UNKNOWN_METHOD,
    /** An internal error occurred. */
    BROKEN
  }
}
