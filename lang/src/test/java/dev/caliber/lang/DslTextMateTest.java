package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.lang.ast.Keywords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests of the grammar for editors, used as an editor would. */
class DslTextMateTest {
  private static final JsonNode GRAMMAR = Json.mapper().readTree(resource());

  /** A part of a line and its scope. */
  private record Piece(String text, String scope) {}

  @Test
  void everyWordIsColoured() {
    Stream.of(
            Keywords.DEFINITIONS,
            Keywords.MEMORY_FIELDS,
            Keywords.ADAPTER_FIELDS,
            Keywords.INJECTION_FIELDS,
            Keywords.MEMORY_TYPES,
            Keywords.FIELD_TYPES,
            Keywords.INDEX_TYPES,
            Keywords.ADAPTER_TYPES,
            Keywords.TRIGGERS,
            Keywords.RETENTIONS,
            Keywords.LIFECYCLES,
            Keywords.ACTIONS,
            Keywords.MODES,
            Keywords.CRITERIA,
            Keywords.FILTER_WORDS,
            Keywords.VALUE_WORDS)
        .flatMap(List::stream)
        .forEach(word -> assertThat(GRAMMAR.toString()).containsPattern("\\b" + word + "\\b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory | keyword.control",
        "trajectory | entity.name.type",
        "schema | keyword.other.field",
        "goal_summary | variable.other.field",
        "uuid | storage.type",
        "hnsw | storage.type",
        "persistent | constant.language",
        "scope_close | constant.language",
        "extract_artifacts | support.function",
        "older_than | support.function",
        "0s | constant.numeric.duration",
        "0.3 | constant.numeric",
        "and | keyword.operator",
        "> | keyword.operator",
        "into | keyword.control",
        "context | entity.name.type",
        "// === POLICIES === | comment.line.double-slash"
      })
  void theExampleIsColouredSensibly(String text, String scope) {
    assertThat(pieces()).contains(new Piece(text, scope + ".caliber"));
  }

  @Test
  void nothingInTheExampleIsColouredAsAnError() {
    assertThat(pieces()).noneMatch(piece -> piece.scope().startsWith("invalid"));
    assertThat(pieces()).hasSizeGreaterThan(200);
  }

  private static List<Piece> pieces() {
    var pieces = new ArrayList<Piece>();
    Example.source().lines().forEach(line -> colour(line, pieces));
    return pieces;
  }

  private static void colour(String line, List<Piece> pieces) {
    int at = 0;
    while (at < line.length()) {
      at = Math.max(at + 1, colourAt(line, at, pieces));
    }
  }

  private static int colourAt(String line, int at, List<Piece> pieces) {
    for (JsonNode pattern : GRAMMAR.get("patterns")) {
      boolean block = pattern.has("begin");
      String expression =
          block
              ? pattern.get("begin").stringValue()
                  + "(?:[^\"\\\\]|\\\\.)*(?:"
                  + pattern.get("end").stringValue()
                  + ")"
              : pattern.get("match").stringValue();
      var matcher = Pattern.compile(expression).matcher(line);
      matcher.region(at, line.length()).useTransparentBounds(true).useAnchoringBounds(false);
      if (matcher.lookingAt()) {
        if (pattern.has("captures")) {
          for (int group = 1; group <= matcher.groupCount(); group++) {
            var capture = pattern.get("captures").get(Integer.toString(group));
            pieces.add(new Piece(matcher.group(group), capture.get("name").stringValue()));
          }
        } else {
          pieces.add(new Piece(matcher.group(), pattern.get("name").stringValue()));
        }
        return matcher.end();
      }
    }
    return at + 1;
  }

  private static String resource() {
    try (var in = TextMateGrammar.class.getResourceAsStream("caliber.tmLanguage.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
