package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.SecretScanner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Checks a payload in JSON: one value, no key twice, and references where they are required. */
final class JsonPayloadCheck {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(PromptBounds.PAYLOAD_NESTING)
                  .maxNumberLength(PromptBounds.SOURCE)
                  .maxNameLength(PromptBounds.SOURCE)
                  .build())
          .build();

  private final String text;
  private final PayloadDiagnostics payloadDiagnostics;
  private final Deque<Set<String>> keys = new ArrayDeque<>();

  JsonPayloadCheck(String text, PayloadDiagnostics payloadDiagnostics) {
    this.text = text;
    this.payloadDiagnostics = payloadDiagnostics;
  }

  void check() {
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      check(parser);
    }
  }

  private void check(JsonParser parser) {
    try {
      checkTokens(parser);
    } catch (StreamConstraintsException _) {
      payloadDiagnostics.reportTooDeep(offset(parser.currentLocation()));
    } catch (StreamReadException e) {
      payloadDiagnostics.reportMalformed(
          text, offset(e.getLocation()), "from here on this is not JSON");
    }
  }

  private void checkTokens(JsonParser parser) {
    boolean whole = false;
    for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
      if (whole) {
        payloadDiagnostics.reportMalformed(
            text, from(parser), "a payload is one value, and this is another");
        return;
      }
      checkToken(token, parser);
      whole = parser.streamReadContext().inRoot();
    }
    if (!whole) {
      payloadDiagnostics.reportMalformed(text, 0, "a payload without a value");
    }
  }

  private void checkToken(JsonToken token, JsonParser parser) {
    switch (token) {
      case START_OBJECT -> keys.push(new HashSet<>());
      case END_OBJECT -> keys.pop();
      case PROPERTY_NAME -> checkKey(parser);
      default -> {
        if (token.isScalarValue()) {
          checkLeaf(token, parser);
        }
      }
    }
  }

  private void checkKey(JsonParser parser) {
    String name = parser.currentName();
    if (!keys.getFirst().add(name)) {
      int from = from(parser);
      payloadDiagnostics.report(
          DiagnosticCode.DUPLICATE_FIELD,
          from,
          end(from),
          "the key " + SecretScanner.quote(name) + " is given twice",
          "keep one of them");
    }
  }

  /** Checks texts as they are written, so that escapes hide nothing. */
  private void checkLeaf(JsonToken token, JsonParser parser) {
    int from = from(parser);
    String value = parser.getString(); // the end of a text is known only now
    if (token == JsonToken.VALUE_STRING) {
      int to = end(from);
      payloadDiagnostics.checkValue(text.substring(from + 1, to - 1), from, to);
    } else {
      payloadDiagnostics.checkValue(value, from, from + value.length());
    }
  }

  /** Returns the end of a text, which is known to have one. */
  private int end(int from) {
    int at = from + 1;
    while (text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  private static int from(JsonParser parser) {
    return offset(parser.currentTokenLocation());
  }

  private static int offset(@Nullable TokenStreamLocation location) {
    return location == null ? 0 : (int) Math.max(0, location.getCharOffset());
  }
}
