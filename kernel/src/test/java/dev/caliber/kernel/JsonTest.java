package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  enum NoteType {
    FACT,
    PREFERENCE;

    @Override
    public String toString() {
      return "not this";
    }
  }

  record Note(
      Id noteId,
      SpaceId space,
      NoteType type,
      Instant createdAt,
      Optional<String> sourceText,
      List<String> tags,
      int aCount) {}

  record Book(Note firstNote, Map<String, Note> byName, List<Note> notes) {}

  private static final Note NOTE =
      new Note(
          Id.parse("01H455VB4PEX5VSKNK084SN02Q"),
          SpaceId.DEFAULT,
          NoteType.FACT,
          Instant.parse("2026-11-15T21:12:09.5Z"),
          Optional.of("said"),
          List.of("b", "a"),
          3);

  private static final String TEXT =
      "{\"note_id\":\"01H455VB4PEX5VSKNK084SN02Q\",\"space\":\"default\",\"type\":\"FACT\","
          + "\"created_at\":\"2026-11-15T21:12:09.500000Z\",\"source_text\":\"said\","
          + "\"tags\":[\"b\",\"a\"],\"a_count\":3}";

  @Test
  @DisplayName("ARC-11: a record has one JSON text, in the order of its declaration")
  void writesAndReads() {
    assertThat(Json.text(NOTE)).isEqualTo(TEXT);
    assertThat(Json.bytes(NOTE)).isEqualTo(TEXT.getBytes(StandardCharsets.UTF_8));
    assertThat(Json.read(TEXT, Note.class)).isEqualTo(NOTE);
    assertThat(Json.read(Json.bytes(NOTE), Note.class)).isEqualTo(NOTE);
  }

  @Test
  void leavesOutWhatIsAbsent() {
    var silent =
        new Note(
            NOTE.noteId(),
            NOTE.space(),
            NOTE.type(),
            NOTE.createdAt(),
            Optional.empty(),
            List.of(),
            0);
    assertThat(Json.text(silent)).doesNotContain("source_text").contains("\"tags\":[]");
    assertThat(Json.read(Json.bytes(silent), Note.class)).isEqualTo(silent);
    assertThat(Json.read(TEXT.replace("\"said\"", "null"), Note.class).sourceText()).isEmpty();
  }

  @Test
  @DisplayName("ARC-11: maps and sets are written in order, so that equal values give equal bytes")
  void writesMapsAndSetsInOrder() {
    assertThat(Json.text(Map.of("c", 1, "a", 2, "b", 3))).isEqualTo("{\"a\":2,\"b\":3,\"c\":1}");
    assertThat(Json.text(Set.of("c", "a", "b"))).isEqualTo("[\"a\",\"b\",\"c\"]");
    assertThat(Json.text(Map.of(SpaceId.DEFAULT, 1))).isEqualTo("{\"default\":1}");
  }

  @Test
  void toleratesWhatItDoesNotKnow() {
    assertThat(Json.read(TEXT.replace("{", "{\"later\":{\"x\":[1]},"), Note.class)).isEqualTo(NOTE);
  }

  @Test
  void vectorClocksKeepTheirShape() {
    var clock = VectorClock.EMPTY.increment("b").increment("a").increment("a");
    assertThat(Json.text(clock)).isEqualTo("{\"counters\":{\"a\":2,\"b\":1}}");
    assertThat(Json.read(Json.text(clock), VectorClock.class)).isEqualTo(clock);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a_count\":3>\"a_count\":\"3\"",
        "\"a_count\":3>\"a_count\":3.5",
        "\"a_count\":3>\"a_count\":null",
        ",\"a_count\":3>",
        "\"FACT\">0",
        "\"FACT\">\"SECRET\"",
        "\"FACT\">\"fact\"",
        "\"default\">\"SECRET NAME\"",
        "\"default\">null",
        "\"space\":\"default\",>",
        "\"01H455VB4PEX5VSKNK084SN02Q\">\"SECRET\"",
        "\"01H455VB4PEX5VSKNK084SN02Q\">5",
        "\"01H455VB4PEX5VSKNK084SN02Q\">null",
        "\"2026-11-15T21:12:09.500000Z\">\"SECRET\"",
        "\"2026-11-15T21:12:09.500000Z\">5",
        "\"tags\":[\"b\",\"a\"],>"
      })
  @DisplayName(
      "ERR-08: a value that does not fit is a typed error with its place, without its content")
  void refusesValuesThatDoNotFit(String change) {
    String[] pair = change.split(">", -1);
    String changed = TEXT.replace(pair[0], pair[1]);
    assertThat(changed).isNotEqualTo(TEXT);
    var refusal = refused(KernelErrorCode.INVALID_VALUE, () -> Json.read(changed, Note.class));
    assertThat(refusal.message())
        .startsWith("JSON for Note: a value has the wrong type")
        .containsPattern("at line 1, column \\d+$")
        .doesNotContain("SECRET");
    assertThat(refusal).hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "SECRET", "{\"a\" SECRET}", "[1,]", "{} {}", "{'a':1}", "// x\n{}"})
  @DisplayName("ERR-08: text that is no JSON is a typed error, without its content")
  void refusesWhatIsNoJson(String text) {
    var refusal = refused(KernelErrorCode.INVALID_VALUE, () -> Json.read(text, Map.class));
    assertThat(refusal.message()).startsWith("JSON for Map: ").doesNotContain("SECRET");
  }

  private record Wary(int count) {
    private Wary {
      if (count < 0) {
        throw KernelException.invalidValue("count", "expected 0 or more");
      }
      if (count == 0) {
        throw new StackOverflowError("not the fault of what was read");
      }
    }
  }

  private record Watched(List<Wary> all) {}

  @Test
  @DisplayName("ERR-08: a refusal of a record's constructor is a typed error with its place")
  void refusesWhatConstructorsRefuse() {
    assertThat(Json.read("{\"all\":[{\"count\":1}]}", Watched.class).all())
        .containsExactly(new Wary(1));
    var refusal =
        refused(
            KernelErrorCode.INVALID_VALUE,
            () -> Json.read("{\"all\":[{\"count\":1},{\"count\":-1}]}", Watched.class));
    assertThat(refusal.message()).contains("a value has the wrong type", " at all.1");
    assertThatThrownBy(() -> Json.read("{\"count\":0}", Wary.class))
        .isInstanceOf(StackOverflowError.class);
  }

  @Test
  void namesLineAndColumn() {
    var refusal =
        refused(KernelErrorCode.INVALID_VALUE, () -> Json.read("{\n  \"a\": ?\n}", Map.class));
    assertThat(refusal)
        .hasMessage("JSON for Map: the document is not well-formed JSON at line 2, column 8");
  }

  @Test
  void namesThePathThroughRecordsOnly() {
    String bad = TEXT.replace("FACT", "RUMOUR");
    String inMap =
        "{\"first_note\":" + TEXT + ",\"by_name\":{\"SECRET\":" + bad + "},\"notes\":[]}";
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> Json.read(inMap, Book.class)).message())
        .contains(" at by_name.*.type at line 1")
        .doesNotContain("SECRET");
    String inList =
        "{\"first_note\":" + TEXT + ",\"by_name\":{},\"notes\":[" + TEXT + "," + bad + "]}";
    assertThat(
            refused(KernelErrorCode.INVALID_VALUE, () -> Json.read(inList, Book.class)).message())
        .contains(" at notes.1.type at line 1");
  }

  @Test
  void refusesNull() {
    refused(KernelErrorCode.INVALID_VALUE, () -> Json.read("null", Note.class));
  }

  @Test
  void refusesWhatIsTooDeepOrTooLong() {
    String deep = "[".repeat(257) + "]".repeat(257);
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> Json.read(deep, List.class)))
        .hasMessageContaining("exceeds the limits of depth or length");
    refused(KernelErrorCode.LIMIT_EXCEEDED, () -> Json.read(new byte[(64 << 20) + 1], List.class));
  }

  @Test
  void refusesToWriteATimeWithoutAText() {
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> Json.text(Map.of("t", Instant.MAX))))
        .hasMessageContaining("year");
  }
}
