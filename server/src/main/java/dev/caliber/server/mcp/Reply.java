package dev.caliber.server.mcp;

import tools.jackson.databind.JsonNode;

/** What came of a message. */
public sealed interface Reply {

  /** Nothing to say: it was a notification. */
  record Nothing() implements Reply {}

  /** One message. */
  record Single(Outcome outcome, JsonNode message) implements Reply {}

  /** A stream of messages that lasts until somebody ends it. */
  record Stream(Subscription subscription) implements Reply {}

  /** How far a message got, for transports that have a word for it beside the message. */
  enum Outcome {
    /** The method ran; its answer may still be an error. */
    ANSWERED,
    /** It was refused before any method. */
    MALFORMED,
    /** There is no such method. */
    UNKNOWN_METHOD,
    /** Something broke. */
    BROKEN
  }
}
