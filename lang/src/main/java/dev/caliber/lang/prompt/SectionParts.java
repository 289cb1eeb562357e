package dev.caliber.lang.prompt;

import java.util.ArrayList;
import java.util.List;

/** The parts of a section, and the call that waits for its payload. */
final class SectionParts {
  /** What a payload finds before it. */
  enum Call {
    NONE,
    WITHOUT_PAYLOAD,
    WITH_PAYLOAD
  }

  private final List<Part> parts = new ArrayList<>();
  private Call call = Call.NONE;
  private int callAt = -1;

  boolean isEmpty() {
    return parts.isEmpty();
  }

  void add(Part part) {
    parts.add(part);
  }

  /** A call: the next payload is its own. */
  void call(Part.ToolCall made) {
    callAt = parts.size();
    call = Call.WITHOUT_PAYLOAD;
    parts.add(made);
  }

  /** A call that was not understood: it is left out, and its payload with it. */
  void brokenCall() {
    callAt = -1;
    call = Call.WITHOUT_PAYLOAD;
  }

  /** Takes notice of a payload, and says what stood before it. */
  Call payload() {
    var before = call;
    call = before == Call.NONE ? Call.NONE : Call.WITH_PAYLOAD;
    return before;
  }

  /** Gives the payload to the last call. */
  void give(Payload payload) {
    if (callAt >= 0 && parts.get(callAt) instanceof Part.ToolCall made) {
      parts.set(callAt, made.with(payload));
    }
  }

  List<Part> finish() {
    return List.copyOf(parts);
  }
}
