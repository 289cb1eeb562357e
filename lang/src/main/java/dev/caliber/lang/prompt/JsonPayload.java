package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Secrets;
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

/** Checks a payload in JSON: one value, no key twice, and references where they have to be. */
final class JsonPayload {
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
  private final Strictness strictness;
  private final Deque<Set<String>> keys = new ArrayDeque<>();

  JsonPayload(String text, Strictness strictness) {
    this.text = text;
    this.strictness = strictness;
  }

  void check() {
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      check(parser);
    }
  }

  private void check(JsonParser parser) {
    try {
      tokens(parser);
    } catch (StreamConstraintsException _) {
      strictness.tooDeep(offset(parser.currentLocation()));
    } catch (StreamReadException e) {
      strictness.malformed(text, offset(e.getLocation()), "from here on this is not JSON");
    }
  }

  private void tokens(JsonParser parser) {
    boolean whole = false;
    for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
      if (whole) {
        strictness.malformed(text, from(parser), "a payload is one value, and this is another");
        return;
      }
      token(token, parser);
      whole = parser.streamReadContext().inRoot();
    }
    if (!whole) {
      strictness.malformed(text, 0, "a payload without a value");
    }
  }

  private void token(JsonToken token, JsonParser parser) {
    switch (token) {
      case START_OBJECT -> keys.push(new HashSet<>());
      case END_OBJECT -> keys.pop();
      case PROPERTY_NAME -> key(parser);
      default -> {
        if (token.isScalarValue()) {
          leaf(token, parser);
        }
      }
    }
  }

  private void key(JsonParser parser) {
    String name = parser.currentName();
    if (!keys.getFirst().add(name)) {
      int from = from(parser);
      strictness.report(
          DiagnosticCode.DUPLICATE_FIELD,
          from,
          end(from),
          "the key " + Secrets.quote(name) + " is given twice",
          "keep one of them");
    }
  }

  /** Texts are looked at as they are written, so that escapes hide nothing. */
  private void leaf(JsonToken token, JsonParser parser) {
    int from = from(parser);
    String value = parser.getString(); // only now is it known that a text has an end
    if (token == JsonToken.VALUE_STRING) {
      int to = end(from);
      strictness.leaf(text.substring(from + 1, to - 1), from, to);
    } else {
      strictness.leaf(value, from, from + value.length());
    }
  }

  /** Where a text ends that is known to have an end. */
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
