package dev.caliber.memory.context.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.SourceQuality;
import dev.caliber.memory.context.window.Trust;
import dev.caliber.memory.context.window.TrustClass;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchHit.ChannelScore;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Hashes of a window. */
class WindowHashTest {
  private static final Instant TIME = Instant.parse("2026-11-16T19:30:00.123456Z");

  private static final ChannelScore SAID =
      new ChannelScore(SearchChannel.LEXICAL, 0.1, 1, 0.2, 0.3);
  private static final SourceQuality GOOD = new SourceQuality(0.1, 0.2, 0.3, 0.4, true);
  private static final Trust FAR = new Trust(TrustClass.CODE, 100, "a");
  private static final CandidateScores SCORES =
      new CandidateScores(0.5, 0.6, List.of(SAID), Optional.of(GOOD), Optional.of(FAR));

  @Test
  @DisplayName("CTX-24: the hash of what is shown is the recorded one; that of before is known too")
  void hashesOfContent() {
    RecordBody recordBody =
        new RecordBody(
            Optional.of(TurnRole.ASSISTANT),
            List.of(
                TurnPart.text("Grüße,\n\"du\"."),
                new TurnPart.ToolCallPart("c1", "flights", "{}"),
                new TurnPart.ToolResultPart("c1", "none", true),
                new TurnPart.DataPart("image/png", Bytes.of(new byte[] {1, 2, 3}))),
            new TreeMap<>(Map.of(RecordBody.NAME, "Ann")),
            Optional.of(TIME));
    String now = "edab69f09fb2c25a711419db086b7216d1981d35384b6b41b85059589ce76acb";
    String before = "677d08627fdd6fd43e2177c5c166b239c1a03ed5657006cfb75cfdb524f8293f";
    assertThat(recordBody.hash()).isEqualTo(now);
    assertThat(Stream.of(now, before).filter(recordBody::matchesHash)).hasSize(2);
    RecordBody other =
        new RecordBody(
            recordBody.role(), recordBody.parts(), recordBody.attributes(), Optional.empty());
    assertThat(Stream.of(now, before).filter(other::matchesHash)).isEmpty();
  }

  @Test
  @DisplayName("CTX-24: whatever is different in the inputs of a window makes another hash")
  void everyComponentCounts() throws ReflectiveOperationException {
    differ(
        Window.WindowInputs.class,
        new Window.WindowInputs(
            Optional.of("a"),
            Optional.empty(),
            Optional.of(TIME),
            7,
            Optional.of("b"),
            List.of("c"),
            Optional.empty(),
            Optional.empty(),
            Optional.of(1)),
        new Window.WindowInputs(
            Optional.empty(),
            Optional.of("a"),
            Optional.empty(),
            8,
            Optional.empty(),
            List.of("c", "d"),
            Optional.of("e"),
            Optional.of(ReadableSubjects.everySubject()),
            Optional.empty()),
        Window.WindowInputs::addToHash);
    differ(
        Candidate.class,
        new Candidate(
            SourceKind.NOTE,
            Id.derivedFrom("test", "one"),
            1,
            "notes",
            50,
            SCORES,
            TIME,
            3,
            "alice",
            Optional.of("x"),
            "f"),
        new Candidate(
            SourceKind.TURN,
            Id.derivedFrom("test", "other"),
            2,
            "recalled",
            51,
            CandidateScores.of(1, 1),
            TIME.plusSeconds(1),
            4,
            "bob",
            Optional.empty(),
            "g"),
        Candidate::addToHash);
    differ(
        CandidateScores.class,
        SCORES,
        new CandidateScores(0.7, 0.8, List.of(SAID, SAID), Optional.empty(), Optional.empty()),
        CandidateScores::addToHash);
    differ(
        SourceQuality.class,
        GOOD,
        new SourceQuality(0.5, 0.6, 0.7, 0.8, false),
        SourceQuality::addToHash);
    differ(
        ChannelScore.class,
        SAID,
        new ChannelScore(SearchChannel.DENSE, 0.4, 2, 0.5, 0.6),
        (said, fieldHasher) ->
            new CandidateScores(0.5, 0.6, List.of(said), Optional.empty(), Optional.empty())
                .addToHash(fieldHasher));
    differ(Trust.class, FAR, new Trust(TrustClass.OLD, 40, "b"), Trust::addToHash);
  }

  @Test
  @DisplayName("CTX-24, TPR-08: the mark follows from the moment, the query and the candidates")
  void marks() {
    RecordBody recordBody =
        new RecordBody(
            Optional.empty(), List.of(TurnPart.text("a")), new TreeMap<>(), Optional.empty());
    CandidateContent candidateContent =
        new CandidateContent(
            new Candidate(
                SourceKind.NOTE,
                Id.derivedFrom("test", "one"),
                1,
                "notes",
                50,
                SCORES,
                TIME,
                3,
                "alice",
                Optional.empty(),
                recordBody.hash()),
            recordBody);
    UntrustedTextDelimiter untrustedTextDelimiter =
        UntrustedTextDelimiter.of(TIME, Optional.of("Why?"), List.of(candidateContent));
    assertThat(untrustedTextDelimiter.unusedMark("")).isEqualTo("fab0dbc61cebbd0c");
    assertThat(
            Stream.of(
                    UntrustedTextDelimiter.of(
                        TIME.plusSeconds(1), Optional.of("Why?"), List.of(candidateContent)),
                    UntrustedTextDelimiter.of(TIME, Optional.empty(), List.of(candidateContent)),
                    UntrustedTextDelimiter.of(TIME, Optional.of("Why?"), List.of()))
                .map(other -> other.unusedMark("")))
        .doesNotHaveDuplicates()
        .doesNotContain(untrustedTextDelimiter.unusedMark(""));
  }

  @Test
  @DisplayName(
      "CTX-24, TRUST-05: scores without trust hash and read as they did before there was any")
  void scoresOfBefore() {
    CandidateScores plain =
        new CandidateScores(0.5, 0.6, List.of(SAID), Optional.of(GOOD), Optional.empty());
    assertThat(hash(plain, CandidateScores::addToHash))
        .isEqualTo(
            FieldHash.fieldHasher("test")
                .number(0.5)
                .number(0.6)
                .number(1L)
                .text("LEXICAL")
                .number(0.1)
                .number(1L)
                .number(0.2)
                .number(0.3)
                .number(1L)
                .number(0.1)
                .number(0.2)
                .number(0.3)
                .number(0.4)
                .flag(true)
                .hash());
    assertThat(Json.text(plain)).doesNotContain("trust\":{");
    assertThat(Json.read(Json.text(plain), CandidateScores.class)).isEqualTo(plain);
    assertThat(Json.read(Json.text(SCORES), CandidateScores.class)).isEqualTo(SCORES);
  }

  /** Checks that a change of any single component changes the hash. */
  private static <R extends Record> void differ(
      Class<R> type, R one, R other, BiConsumer<R, FieldHash.FieldHasher> adding)
      throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    List<R> all = new ArrayList<>(List.of(one));
    for (int changed = 0; changed < components.length; changed++) {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = components[i].getAccessor().invoke(i == changed ? other : one);
      }
      all.add(type.getDeclaredConstructor(types).newInstance(values));
    }
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all.stream().map(each -> hash(each, adding))).doesNotHaveDuplicates();
  }

  private static <R> String hash(R record, BiConsumer<R, FieldHash.FieldHasher> adding) {
    FieldHash.FieldHasher fieldHasher = FieldHash.fieldHasher("test");
    adding.accept(record, fieldHasher);
    return fieldHasher.hash();
  }
}
