package dev.caliber.lang.prompt;

import java.util.ArrayList;
import java.util.List;

/** Collects the parts of a section, and the call that waits for its payload. */
final class SectionPartCollector {
  /** The part before a payload. */
  enum PayloadTarget {
    NONE,
    WITHOUT_PAYLOAD,
    WITH_PAYLOAD
  }

  private final List<SectionPart> parts = new ArrayList<>();
  private PayloadTarget payloadTarget = PayloadTarget.NONE;
  private int callAt = -1;

  boolean isEmpty() {
    return parts.isEmpty();
  }

  void add(SectionPart sectionPart) {
    parts.add(sectionPart);
  }

  /** Adds a call: the next payload belongs to it. */
  void addCall(SectionPart.PromptToolCall made) {
    callAt = parts.size();
    payloadTarget = PayloadTarget.WITHOUT_PAYLOAD;
    parts.add(made);
  }

  /** Records a malformed call, which is left out with its payload. */
  void addBrokenCall() {
    callAt = -1;
    payloadTarget = PayloadTarget.WITHOUT_PAYLOAD;
  }

  /** Records a payload, and returns the part before it. */
  PayloadTarget expectPayload() {
    var before = payloadTarget;
    payloadTarget = before == PayloadTarget.NONE ? PayloadTarget.NONE : PayloadTarget.WITH_PAYLOAD;
    return before;
  }

  /** Attaches the payload to the last call. */
  void attachPayload(Payload payload) {
    if (callAt >= 0 && parts.get(callAt) instanceof SectionPart.PromptToolCall made) {
      parts.set(callAt, made.withPayload(payload));
    }
  }

  List<SectionPart> finish() {
    return List.copyOf(parts);
  }
}
