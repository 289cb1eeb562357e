package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.ImportMode;
import dev.caliber.store.ImportReport;
import dev.caliber.store.ImportRules;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an import takes and what it refuses, on every engine. */
public abstract class ImportContract extends MaintenanceFixture {

  private static final String CAT =
      """
      {"space":"default","table":"animal","key":"c","revision":1,"schema":1,"body":\
      {"id":"c","name":"Tom","legs":4,"weight":1.5,"tame":true,\
      "seen_at":"2026-01-01T00:00:00.000000Z"}}""";

  private static final ImportRules WITH_JOBS = new ImportRules(ImportMode.FAIL, Set.of("job"));

  private static final String PICTURE =
      """
      {"space":"default","table":"picture","key":"x","revision":1,"schema":1,"body":\
      {"id":"x","owner":"ann","title":"sea"},"binary":{"pixels":"AAE=","vector":"AACAPw=="}}""";

  @Test
  void anExportComesBackWhole() {
    RecordStore store = filled();
    Path file = file("e.jsonl", export(store));
    RecordStore copy = empty();
    List<String> phases = new ArrayList<>();
    ImportReport report = of(copy).importFrom(file, WITH_JOBS, (phase, _, _) -> phases.add(phase));
    SortedMap<String, Long> job = new TreeMap<>(Map.of("job", 1L));
    assertThat(report).isEqualTo(new ImportReport(7, 0, 0, copy.spaces(), job, new TreeMap<>()));
    assertThat(phases).contains("check", "import");
    assertThat(copy.spaces()).containsExactly(SPACE, OTHER);
    assertThat(contents(copy)).isEqualTo(contents(store));
    assertThat(of(copy).examine(Progress.NONE).findings()).isEmpty();
  }

  @Test
  void jobsAreLeftOutUnlessTheirTableIsNamed() {
    RecordStore copy = empty();
    ImportReport report = bring(copy, file("e.jsonl", export(filled())));
    assertThat(report.leftOut()).isEqualTo(Map.of("job", 1L));
    assertThat(report.included()).isEmpty();
    assertThat(report.created()).isEqualTo(6);
    long jobs = copy.read(SPACE, s -> s.count(Query.over(Jobs.TABLE)));
    assertThat(jobs).isZero();
  }

  @Test
  void recordsOfTheServersOwnSpaceAreRefusedUnlessItIsNamed() {
    RecordStore store = open(ANIMALS, PICTURES);
    String planted = CAT.replace("\"default\"", "\"caliber.server\"");
    lineRefused(store, planted, "animal 'c'", "server's own space 'caliber.server'");
    assertThat(store.spaces()).containsExactly(SPACE);
    ImportReport report =
        of(store)
            .importFrom(
                file("i", framed(List.of(planted))),
                new ImportRules(ImportMode.FAIL, Set.of("caliber.server")),
                Progress.NONE);
    assertThat(report.included()).isEqualTo(Map.of("caliber.server/animal", 1L));
    assertThat(store.read(SpaceId.SERVER, s -> s.get(ANIMALS, "c")).name()).isEqualTo("Tom");
  }

  @Test
  void aRecordOfASecretTableIsAlwaysRefused() {
    RecordStore store = open(ANIMALS.secret());
    lineRefused(store, CAT, "table 'animal' is a secret");
    ImportRules rules = new ImportRules(ImportMode.FAIL, Set.of("animal"));
    refused(
        StoreErrorCode.IMPORT_REFUSED,
        () -> of(store).importFrom(file("i", framed(List.of(CAT))), rules, Progress.NONE),
        "'animal' was to be included");
  }

  @Test
  void anImportIsOneCommitWithoutChangesInANewEpoch() {
    RecordStore store = filled();
    FeedCursor before = store.changes().head(SPACE);
    FeedCursor other = store.changes().head(OTHER);
    String moon = PICTURE.replace("sea", "moon");
    importText(store, framed(List.of(CAT, moon)), ImportMode.FAIL, 2, 0, 0);
    FeedCursor after = store.changes().head(SPACE);
    assertThat(after).isEqualTo(new FeedCursor(before.epoch() + 1, before.sequence() + 1));
    assertThat(store.changes().head(OTHER)).isEqualTo(other);
    assertThat(store.read(SPACE, s -> s.row(ANIMALS, "c")).orElseThrow().revision())
        .isEqualTo(after.sequence());
    assertThat(store.read(SPACE, s -> s.row(PICTURES, "x")).orElseThrow().revision())
        .isEqualTo(after.sequence());
    refused(StoreErrorCode.FEED_TRUNCATED, () -> store.changes().read(SPACE, before, 10));
    FeedCursor mid = new FeedCursor(after.epoch(), before.sequence());
    assertThat(store.changes().read(SPACE, mid, 10))
        .singleElement()
        .satisfies(commit -> assertThat(commit.changes()).isEmpty());
    assertThat(of(store).examine(Progress.NONE).findings()).isEmpty();
  }

  @Test
  void aModeSaysWhatBecomesOfKeysThatAreThere() {
    RecordStore store = open(ANIMALS, PICTURES);
    importText(store, framed(List.of(CAT)), ImportMode.FAIL, 1, 0, 0);
    String renamed = CAT.replace("Tom", "Tim");
    importRefused(store, framed(List.of(renamed)), 2, "animal 'c'", "already");
    FeedCursor head = store.changes().head(SPACE);
    importText(store, framed(List.of(renamed)), ImportMode.SKIP, 0, 0, 1);
    assertThat(name(store, "c")).isEqualTo("Tom");
    assertThat(store.changes().head(SPACE)).isEqualTo(head);
    importText(store, framed(List.of(renamed)), ImportMode.REPLACE, 0, 1, 0);
    assertThat(name(store, "c")).isEqualTo("Tim");
    assertThat(store.changes().head(SPACE).epoch()).isEqualTo(head.epoch() + 1);
  }

  @Test
  void aWriteSeesWhatAnImportHasBrought() {
    RecordStore store = open(ANIMALS, PICTURES);
    importText(store, framed(List.of(CAT)), ImportMode.FAIL, 1, 0, 0);
    assertThat(store.write(SPACE, t -> t.get(ANIMALS, "c")).name()).isEqualTo("Tom");
    importText(store, framed(List.of(CAT.replace("Tom", "Tim"))), ImportMode.REPLACE, 0, 1, 0);
    assertThat(store.write(SPACE, t -> t.get(ANIMALS, "c")).name()).isEqualTo("Tim");
  }

  @Test
  void unknownFieldsComeInAndGoOutToTheByte() {
    RecordStore store = open(ANIMALS, PICTURES);
    String strange =
        "\"zzz\":{\"deep\":[1.50,1e400,123456789012345678901234567890,null,\"\\ud83d\"]}";
    String line = CAT.replace("\"legs\":4", "\"legs\":4," + strange);
    importText(store, framed(List.of(line)), ImportMode.FAIL, 1, 0, 0);
    assertThat(contents(store)).containsExactly(line.replace("\"revision\":1,", ""));
    importText(store, framed(List.of(line)), ImportMode.REPLACE, 0, 1, 0);
    assertThat(contents(store)).containsExactly(line.replace("\"revision\":1,", ""));
    store.write(SPACE, t -> t.update(ANIMALS, "c", animal -> animal.withLegs(3)));
    assertThat(contents(store)).singleElement().asString().contains("zzz", "\"legs\":3");
  }

  @Test
  void readsTheSampleOfVersionOne() throws IOException {
    RecordStore store = open(ANIMALS, PICTURES);
    String sample;
    try (InputStream in =
        Objects.requireNonNull(ImportContract.class.getResourceAsStream("export-v1.jsonl"))) {
      sample = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    importText(store, sample, ImportMode.FAIL, 2, 0, 0);
    List<String> lines = sample.lines().toList();
    assertThat(contents(store))
        .containsExactlyElementsOf(
            lines.subList(1, 3).stream().map(l -> l.replaceAll("\"revision\":\\d+,", "")).toList());
  }

  @Test
  void anEmptyExportImportsNothing() {
    RecordStore store = open(ANIMALS, PICTURES);
    importText(store, framed(List.of()), ImportMode.FAIL, 0, 0, 0);
    importText(store, export(store), ImportMode.FAIL, 0, 0, 0);
    assertThat(store.changes().head(SPACE)).isEqualTo(new FeedCursor(1, 0));
  }

  @Test
  void anImportIsNeverHalfDone() {
    RecordStore store = filled();
    List<String> before = records(store);
    FeedCursor head = store.changes().head(SPACE);
    String fresh = CAT.replace("\"default\"", "\"brand-new\"");
    String clash =
        PICTURE.replace("\"key\":\"x\"", "\"key\":\"y\"").replace("\"id\":\"x\"", "\"id\":\"y\"");
    for (ImportMode mode : ImportMode.values()) {
      String text = framed(List.of(fresh, CAT, clash));
      refused(
          StoreErrorCode.IMPORT_REFUSED,
          () -> of(store).importFrom(file("i", text), mode, Progress.NONE),
          "i:4: ",
          "picture_unique_owner_title",
          "nothing was imported");
    }
    String taken = PICTURE.replace("\"title\":\"sea\"", "\"title\":\"lake\"");
    String moved =
        PICTURE
            .replace("\"key\":\"x\"", "\"key\":\"p\"")
            .replace("\"id\":\"x\"", "\"id\":\"p\"")
            .replace("sea", "lake");
    refused(
        StoreErrorCode.IMPORT_REFUSED,
        () ->
            of(store)
                .importFrom(
                    file("i", framed(List.of(taken, moved))), ImportMode.REPLACE, Progress.NONE),
        "i:3: ",
        "unique");
    importRefused(store, framed(List.of(CAT, CAT)), 3, "twice");
    assertThat(records(store)).isEqualTo(before);
    assertThat(store.spaces()).containsExactly(SPACE, OTHER);
    assertThat(store.changes().head(SPACE)).isEqualTo(head);
    store.write(SPACE, t -> t.update(ANIMALS, "cat0", animal -> animal.withLegs(9)));
  }

  @Test
  void refusesFilesThatAreNoExport() {
    RecordStore store = open(ANIMALS, PICTURES);
    refused(StoreErrorCode.IMPORT_REFUSED, () -> bring(store, files), "is a directory");
    refused(StoreErrorCode.IMPORT_REFUSED, () -> bring(store, files.resolve("no")), "no such file");
    importRefused(store, "", 1, "empty");
    importRefused(store, "\n", 1, "JSON");
    importRefused(store, "hello\n", 1, "JSON");
    importRefused(store, "[]\n", 1, "JSON");
    importRefused(store, "{}\n", 1, "not the header");
    importRefused(store, "{\"caliber\":\"backup\",\"format\":1}\n", 1, "not the header");
    importRefused(store, "{\"caliber\":\"export\",\"format\":2}\n", 1, "newer", "format is 2");
    importRefused(store, "{\"caliber\":\"export\",\"format\":0}\n", 1, "'format'");
    importRefused(store, "{\"caliber\":\"export\"}\n", 1, "'format'");
    byte[] binary = new byte[5000];
    Chance.seeded(SEED).nextBytes(binary);
    refused(StoreErrorCode.IMPORT_REFUSED, () -> bring(store, file("binary", binary)), "binary:1:");
  }

  @Test
  void refusesFilesThatWereCutOrChanged() {
    RecordStore store = open(ANIMALS, PICTURES);
    String whole = framed(List.of(CAT, PICTURE));
    String[] lines = whole.split("\n", -1);
    importRefused(store, lines[0] + "\n", 2, "cut off");
    importRefused(store, lines[0] + "\n" + lines[1] + "\n", 3, "cut off");
    importRefused(store, whole.substring(0, whole.indexOf("picture")), 3, "JSON");
    importRefused(
        store, whole.replace("\"records\":2", "\"records\":3"), 4, "3 records", "holds 2");
    importRefused(store, whole.replace("\"records\":2", "\"records\":-1"), 4, "'records'");
    importRefused(store, whole.replace("Tom", "Tim"), 4, "checksum");
    importRefused(store, whole.replaceAll("\"sha256\":\"..", "\"sha256\":\"zz"), 4, "checksum");
    importRefused(store, whole.replaceAll(",\"sha256\":\".*\"", ""), 4, "'sha256'");
    importRefused(store, whole + "\n", 5, "behind the footer");
    importRefused(store, whole + whole, 5, "behind the footer");
  }

  @Test
  void refusesLinesThatDoNotFit() {
    RecordStore store = open(ANIMALS, PICTURES);
    lineRefused(store, CAT.replace("animal", "dragon"), "no table 'dragon'");
    lineRefused(store, CAT.replace("\"key\":\"c\"", "\"key\":\"d\""), "'key' differs");
    lineRefused(store, CAT.replace("\"key\":\"c\"", "\"key\":7"), "'key'");
    lineRefused(store, CAT.replace("\"default\"", "\"No Space\""), "space");
    lineRefused(store, CAT.replace("\"default\"", "null"), "'space'");
    lineRefused(store, CAT.replace("\"schema\":1", "\"schema\":2"), "newer", "schema is 2");
    lineRefused(store, CAT.replace("\"schema\":1", "\"schema\":0"), "'schema'");
    lineRefused(store, CAT.replace("\"revision\":1", "\"revision\":1.5"), "'revision'");
    lineRefused(store, CAT.replace("\"legs\":4", "\"legs\":\"four\""), "does not read as Animal");
    lineRefused(store, CAT.replace("\"legs\":4,", ""), "does not read as Animal");
    lineRefused(store, CAT.replace("\"name\":\"Tom\"", "\"name\":\"a\\u0000b\""), "not text");
    lineRefused(store, CAT.replace("\"weight\":1.5", "\"weight\":1e999"), "weight");
    lineRefused(store, CAT.replace("\"legs\":4", "\"legs\":4,\"legs\":5"), "JSON");
    lineRefused(store, CAT.replace("\"body\":{", "\"body\":[{").replace("}}", "}]}"), "'body'");
    lineRefused(store, CAT.replace("\"body\"", "\"bodies\""), "no member 'bodies'");
    lineRefused(
        store, CAT.replace("\"body\":", "\"binary\":{\"x\":\"\"},\"body\":"), "binary part 'x'");
    lineRefused(store, PICTURE.replace("AAE=", "A?"), "'pixels' is not base64");
    lineRefused(store, PICTURE.replace("\"AAE=\"", "5"), "'pixels' is not base64");
    lineRefused(store, PICTURE.replace("AACAPw==", "AAE="), "'vector' is not base64 of a vector");
    lineRefused(store, PICTURE.replace("\"pixels\":\"AAE=\",", ""), "does not read as Picture");
    lineRefused(store, CAT.replace("\"c\"", "\"" + "k".repeat(600) + "\""), "512 bytes");
    lineRefused(store, CAT + CAT, "JSON");
    lineRefused(store, "", "JSON");
    lineRefused(store, "\u0007", "JSON");
    lineRefused(store, "[".repeat(1000), "JSON");
  }

  @Test
  void refusesRecordsAndLinesThatAreTooLarge() {
    RecordStore store =
        open(
            config ->
                config.withWrites(
                    new StoreConfig.Writes(
                        8, 64, Duration.ofSeconds(5), DataSize.parse("1KiB"), 3)),
            ANIMALS,
            PICTURES);
    lineRefused(store, CAT.replace("Tom", "x".repeat(2000)), "store.writes.record-limit");
    lineRefused(store, CAT.replace("Tom", "x".repeat(100_000)), "longer than");
  }

  @Test
  void malformedLinesAreOnlyEverRefused() {
    RecordStore store = open(ANIMALS, PICTURES);
    int runs = Integer.getInteger("FUZZ_RUNS", 300);
    Chance chance = Chance.seeded(SEED);
    byte[] original = framed(List.of(CAT, PICTURE)).getBytes(StandardCharsets.UTF_8);
    for (int run = 0; run < runs; run++) {
      byte[] bytes = original.clone();
      for (int i = 0; i <= chance.nextInt(4); i++) {
        mutate(bytes, chance);
      }
      boolean reframed = chance.nextInt(2) == 0;
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      byte[] tried = reframed ? reframed(text).getBytes(StandardCharsets.UTF_8) : bytes;
      try {
        of(store).importFrom(file("fuzz", tried), ImportMode.REPLACE, Progress.NONE);
      } catch (CaliberException e) {
        assertThat(e.code())
            .as("seed %d, run %d: %s", SEED, run, e.report())
            .isEqualTo(StoreErrorCode.IMPORT_REFUSED);
        assertThat(e).hasMessageContaining("nothing was imported").hasMessageMatching("[^\\n]*");
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d, run %d".formatted(SEED, run), e);
      }
    }
    assertThat(of(store).examine(Progress.NONE).findings()).as("seed %d", SEED).isEmpty();
  }

  private static void mutate(byte[] bytes, Chance chance) {
    int at = chance.nextInt(bytes.length);
    switch (chance.nextInt(3)) {
      case 0 -> bytes[at] = (byte) chance.nextInt(256);
      case 1 -> bytes[at] = (byte) "{}[]\",:0-9eE\\\n".charAt(chance.nextInt(14));
      default -> bytes[at] = bytes[chance.nextInt(bytes.length)];
    }
  }

  /** With a footer that fits, so that the lines themselves are looked at to the end. */
  private static String reframed(String text) {
    List<String> lines = text.lines().toList();
    return framed(lines.subList(Math.min(1, lines.size()), Math.max(1, lines.size() - 1)));
  }

  private void lineRefused(RecordStore store, String line, String... words) {
    importRefused(store, framed(List.of(line)), 2, words);
  }

  private void importRefused(RecordStore store, String text, int line, String... words) {
    Path file = file("refused", text);
    refused(StoreErrorCode.IMPORT_REFUSED, () -> bring(store, file), words);
    refused(
        StoreErrorCode.IMPORT_REFUSED,
        () -> bring(store, file),
        file + ":" + line + ": ",
        "; nothing was imported");
  }

  private static ImportReport bring(RecordStore store, Path file) {
    return of(store).importFrom(file, ImportMode.FAIL, Progress.NONE);
  }

  private void importText(
      RecordStore store, String text, ImportMode mode, long created, long replaced, long skipped) {
    ImportReport report = of(store).importFrom(file("i", text), mode, Progress.NONE);
    assertThat(List.of(report.created(), report.replaced(), report.skipped()))
        .containsExactly(created, replaced, skipped);
  }

  private static String name(RecordStore store, String id) {
    return store.read(SPACE, s -> s.get(ANIMALS, id)).name();
  }
}
