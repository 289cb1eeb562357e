package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.maintenance.ImportMode;
import dev.caliber.store.maintenance.ImportReport;
import dev.caliber.store.maintenance.ImportRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Contract of imports on every engine: what they accept and what they refuse. */
@EachEngine(
    value = {EngineKind.SQLITE, EngineKind.POSTGRES},
    schemaPerTest = true)
class ImportContract extends MaintenanceFixture {

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
    RecordStore store = filledStore();
    Path file = writeFile("e.jsonl", export(store));
    RecordStore copy = emptyStore();
    List<String> phases = new ArrayList<>();
    ImportReport report =
        maintenanceOf(copy).importFrom(file, WITH_JOBS, (phase, _, _) -> phases.add(phase));
    SortedMap<String, Long> job = new TreeMap<>(Map.of("job", 1L));
    assertThat(report).isEqualTo(new ImportReport(7, 0, 0, copy.spaces(), job, new TreeMap<>()));
    assertThat(phases).contains("check", "import");
    assertThat(copy.spaces()).containsExactly(SPACE, OTHER);
    assertThat(exportedContents(copy)).isEqualTo(exportedContents(store));
    assertThat(maintenanceOf(copy).examine(ProgressListener.NONE).findings()).isEmpty();
  }

  @Test
  void jobsAreLeftOutUnlessTheirTableIsNamed() {
    RecordStore copy = emptyStore();
    ImportReport report = importFile(copy, writeFile("e.jsonl", export(filledStore())));
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
    assertLineRefused(store, planted, "animal 'c'", "server's own space 'caliber.server'");
    assertThat(store.spaces()).containsExactly(SPACE);
    ImportReport report =
        maintenanceOf(store)
            .importFrom(
                writeFile("i", withFooter(List.of(planted))),
                new ImportRules(ImportMode.FAIL, Set.of("caliber.server")),
                ProgressListener.NONE);
    assertThat(report.included()).isEqualTo(Map.of("caliber.server/animal", 1L));
    assertThat(store.read(SpaceId.SERVER, s -> s.get(ANIMALS, "c")).name()).isEqualTo("Tom");
  }

  @Test
  void aRecordOfASecretTableIsAlwaysRefused() {
    RecordStore store = open(ANIMALS.withoutExport());
    assertLineRefused(store, CAT, "table 'animal' is a secret");
    ImportRules rules = new ImportRules(ImportMode.FAIL, Set.of("animal"));
    assertRefused(
        StoreErrorCode.IMPORT_INVALID,
        () ->
            maintenanceOf(store)
                .importFrom(writeFile("i", withFooter(List.of(CAT))), rules, ProgressListener.NONE),
        "'animal' cannot be named with --include");
  }

  @Test
  void anImportIsOneCommitWithoutChangesInANewEpoch() {
    RecordStore store = filledStore();
    FeedCursor before = store.changes().head(SPACE);
    FeedCursor other = store.changes().head(OTHER);
    String moon = PICTURE.replace("sea", "moon");
    assertTextImported(store, withFooter(List.of(CAT, moon)), ImportMode.FAIL, 2, 0, 0);
    FeedCursor after = store.changes().head(SPACE);
    assertThat(after).isEqualTo(new FeedCursor(before.epoch() + 1, before.sequence() + 1));
    assertThat(store.changes().head(OTHER)).isEqualTo(other);
    assertThat(store.read(SPACE, s -> s.row(ANIMALS, "c")).orElseThrow().revision())
        .isEqualTo(after.sequence());
    assertThat(store.read(SPACE, s -> s.row(PICTURES, "x")).orElseThrow().revision())
        .isEqualTo(after.sequence());
    assertRefused(StoreErrorCode.FEED_TRUNCATED, () -> store.changes().read(SPACE, before, 10));
    FeedCursor mid = new FeedCursor(after.epoch(), before.sequence());
    assertThat(store.changes().read(SPACE, mid, 10))
        .singleElement()
        .satisfies(commit -> assertThat(commit.changes()).isEmpty());
    assertThat(maintenanceOf(store).examine(ProgressListener.NONE).findings()).isEmpty();
  }

  @Test
  void aModeSaysWhatBecomesOfKeysThatAreThere() {
    RecordStore store = open(ANIMALS, PICTURES);
    assertTextImported(store, withFooter(List.of(CAT)), ImportMode.FAIL, 1, 0, 0);
    String renamed = CAT.replace("Tom", "Tim");
    assertImportRefused(store, withFooter(List.of(renamed)), 2, "animal 'c'", "already");
    FeedCursor head = store.changes().head(SPACE);
    assertTextImported(store, withFooter(List.of(renamed)), ImportMode.SKIP, 0, 0, 1);
    assertThat(nameOf(store, "c")).isEqualTo("Tom");
    assertThat(store.changes().head(SPACE)).isEqualTo(head);
    assertTextImported(store, withFooter(List.of(renamed)), ImportMode.REPLACE, 0, 1, 0);
    assertThat(nameOf(store, "c")).isEqualTo("Tim");
    assertThat(store.changes().head(SPACE).epoch()).isEqualTo(head.epoch() + 1);
  }

  @Test
  void aWriteSeesWhatAnImportHasBrought() {
    RecordStore store = open(ANIMALS, PICTURES);
    assertTextImported(store, withFooter(List.of(CAT)), ImportMode.FAIL, 1, 0, 0);
    assertThat(store.write(SPACE, t -> t.get(ANIMALS, "c")).name()).isEqualTo("Tom");
    assertTextImported(
        store, withFooter(List.of(CAT.replace("Tom", "Tim"))), ImportMode.REPLACE, 0, 1, 0);
    assertThat(store.write(SPACE, t -> t.get(ANIMALS, "c")).name()).isEqualTo("Tim");
  }

  @Test
  void unknownFieldsComeInAndGoOutToTheByte() {
    RecordStore store = open(ANIMALS, PICTURES);
    String strange =
        "\"zzz\":{\"deep\":[1.50,1e400,123456789012345678901234567890,null,\"\\ud83d\"]}";
    String line = CAT.replace("\"legs\":4", "\"legs\":4," + strange);
    assertTextImported(store, withFooter(List.of(line)), ImportMode.FAIL, 1, 0, 0);
    assertThat(exportedContents(store)).containsExactly(line.replace("\"revision\":1,", ""));
    assertTextImported(store, withFooter(List.of(line)), ImportMode.REPLACE, 0, 1, 0);
    assertThat(exportedContents(store)).containsExactly(line.replace("\"revision\":1,", ""));
    store.write(SPACE, t -> t.update(ANIMALS, "c", animal -> animal.withLegs(3)));
    assertThat(exportedContents(store)).singleElement().asString().contains("zzz", "\"legs\":3");
  }

  @Test
  void readsTheSampleOfVersionOne() throws IOException {
    RecordStore store = open(ANIMALS, PICTURES);
    String sample;
    try (InputStream in =
        Objects.requireNonNull(ImportContract.class.getResourceAsStream("export-v1.jsonl"))) {
      sample = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertTextImported(store, sample, ImportMode.FAIL, 2, 0, 0);
    List<String> lines = sample.lines().toList();
    assertThat(exportedContents(store))
        .containsExactlyElementsOf(
            lines.subList(1, 3).stream().map(l -> l.replaceAll("\"revision\":\\d+,", "")).toList());
  }

  @Test
  void anEmptyExportImportsNothing() {
    RecordStore store = open(ANIMALS, PICTURES);
    assertTextImported(store, withFooter(List.of()), ImportMode.FAIL, 0, 0, 0);
    assertTextImported(store, export(store), ImportMode.FAIL, 0, 0, 0);
    assertThat(store.changes().head(SPACE)).isEqualTo(new FeedCursor(1, 0));
  }

  @Test
  void anImportIsNeverHalfDone() {
    RecordStore store = filledStore();
    List<String> before = exportedRecords(store);
    FeedCursor head = store.changes().head(SPACE);
    String fresh = CAT.replace("\"default\"", "\"brand-new\"");
    String clash =
        PICTURE.replace("\"key\":\"x\"", "\"key\":\"y\"").replace("\"id\":\"x\"", "\"id\":\"y\"");
    for (ImportMode mode : ImportMode.values()) {
      String text = withFooter(List.of(fresh, CAT, clash));
      assertRefused(
          StoreErrorCode.IMPORT_INVALID,
          () -> maintenanceOf(store).importFrom(writeFile("i", text), mode, ProgressListener.NONE),
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
    assertRefused(
        StoreErrorCode.IMPORT_INVALID,
        () ->
            maintenanceOf(store)
                .importFrom(
                    writeFile("i", withFooter(List.of(taken, moved))),
                    ImportMode.REPLACE,
                    ProgressListener.NONE),
        "i:3: ",
        "unique");
    assertImportRefused(store, withFooter(List.of(CAT, CAT)), 3, "twice");
    assertThat(exportedRecords(store)).isEqualTo(before);
    assertThat(store.spaces()).containsExactly(SPACE, OTHER);
    assertThat(store.changes().head(SPACE)).isEqualTo(head);
    store.write(SPACE, t -> t.update(ANIMALS, "cat0", animal -> animal.withLegs(9)));
  }

  @Test
  void refusesFilesThatAreNoExport() {
    RecordStore store = open(ANIMALS, PICTURES);
    assertRefused(StoreErrorCode.IMPORT_INVALID, () -> importFile(store, files), "is a directory");
    assertRefused(
        StoreErrorCode.IMPORT_INVALID,
        () -> importFile(store, files.resolve("no")),
        "no such file");
    assertImportRefused(store, "", 1, "empty");
    assertImportRefused(store, "\n", 1, "JSON");
    assertImportRefused(store, "hello\n", 1, "JSON");
    assertImportRefused(store, "[]\n", 1, "JSON");
    assertImportRefused(store, "{}\n", 1, "not the header");
    assertImportRefused(store, "{\"caliber\":\"backup\",\"format\":1}\n", 1, "not the header");
    assertImportRefused(
        store, "{\"caliber\":\"export\",\"format\":2}\n", 1, "newer", "format is 2");
    assertImportRefused(store, "{\"caliber\":\"export\",\"format\":0}\n", 1, "'format'");
    assertImportRefused(store, "{\"caliber\":\"export\"}\n", 1, "'format'");
    byte[] binary = new byte[5000];
    RandomSource.seeded(SEED).nextBytes(binary);
    assertRefused(
        StoreErrorCode.IMPORT_INVALID,
        () -> importFile(store, writeFile("binary", binary)),
        "binary:1:");
  }

  @Test
  void refusesFilesThatWereCutOrChanged() {
    RecordStore store = open(ANIMALS, PICTURES);
    String whole = withFooter(List.of(CAT, PICTURE));
    String[] lines = whole.split("\n", -1);
    assertImportRefused(store, lines[0] + "\n", 2, "cut off");
    assertImportRefused(store, lines[0] + "\n" + lines[1] + "\n", 3, "cut off");
    assertImportRefused(store, whole.substring(0, whole.indexOf("picture")), 3, "JSON");
    assertImportRefused(
        store, whole.replace("\"records\":2", "\"records\":3"), 4, "3 records", "holds 2");
    assertImportRefused(store, whole.replace("\"records\":2", "\"records\":-1"), 4, "'records'");
    assertImportRefused(store, whole.replace("Tom", "Tim"), 4, "checksum");
    assertImportRefused(
        store, whole.replaceAll("\"sha256\":\"..", "\"sha256\":\"zz"), 4, "checksum");
    assertImportRefused(store, whole.replaceAll(",\"sha256\":\".*\"", ""), 4, "'sha256'");
    assertImportRefused(store, whole + "\n", 5, "after the footer");
    assertImportRefused(store, whole + whole, 5, "after the footer");
  }

  @Test
  void refusesLinesThatDoNotFit() {
    RecordStore store = open(ANIMALS, PICTURES);
    assertLineRefused(store, CAT.replace("animal", "dragon"), "no table 'dragon'");
    assertLineRefused(store, CAT.replace("\"key\":\"c\"", "\"key\":\"d\""), "'key' differs");
    assertLineRefused(store, CAT.replace("\"key\":\"c\"", "\"key\":7"), "'key'");
    assertLineRefused(store, CAT.replace("\"default\"", "\"No Space\""), "space");
    assertLineRefused(store, CAT.replace("\"default\"", "null"), "'space'");
    assertLineRefused(store, CAT.replace("\"schema\":1", "\"schema\":2"), "newer", "schema is 2");
    assertLineRefused(store, CAT.replace("\"schema\":1", "\"schema\":0"), "'schema'");
    assertLineRefused(store, CAT.replace("\"revision\":1", "\"revision\":1.5"), "'revision'");
    assertLineRefused(
        store, CAT.replace("\"legs\":4", "\"legs\":\"four\""), "cannot be read as Animal");
    assertLineRefused(store, CAT.replace("\"legs\":4,", ""), "cannot be read as Animal");
    assertLineRefused(
        store, CAT.replace("\"name\":\"Tom\"", "\"name\":\"a\\u0000b\""), "invalid character");
    assertLineRefused(store, CAT.replace("\"weight\":1.5", "\"weight\":1e999"), "weight");
    assertLineRefused(store, CAT.replace("\"legs\":4", "\"legs\":4,\"legs\":5"), "JSON");
    assertLineRefused(
        store, CAT.replace("\"body\":{", "\"body\":[{").replace("}}", "}]}"), "'body'");
    assertLineRefused(store, CAT.replace("\"body\"", "\"bodies\""), "unknown property 'bodies'");
    assertLineRefused(
        store, CAT.replace("\"body\":", "\"binary\":{\"x\":\"\"},\"body\":"), "binary part 'x'");
    assertLineRefused(store, PICTURE.replace("AAE=", "A?"), "'pixels' is not base64");
    assertLineRefused(store, PICTURE.replace("\"AAE=\"", "5"), "'pixels' is not base64");
    assertLineRefused(
        store, PICTURE.replace("AACAPw==", "AAE="), "'vector' is not base64 of a vector");
    assertLineRefused(
        store, PICTURE.replace("\"pixels\":\"AAE=\",", ""), "cannot be read as Picture");
    assertLineRefused(store, CAT.replace("\"c\"", "\"" + "k".repeat(600) + "\""), "512 bytes");
    assertLineRefused(store, CAT + CAT, "JSON");
    assertLineRefused(store, "", "JSON");
    assertLineRefused(store, "\u0007", "JSON");
    assertLineRefused(store, "[".repeat(1000), "JSON");
  }

  @Test
  void refusesRecordsAndLinesThatAreTooLarge() {
    RecordStore store =
        open(
            config ->
                config.with("store.writes.record-limit = '1KiB'", "store.writes.changes-limit = 3"),
            ANIMALS,
            PICTURES);
    assertLineRefused(store, CAT.replace("Tom", "x".repeat(2000)), "store.writes.record-limit");
    assertLineRefused(store, CAT.replace("Tom", "x".repeat(100_000)), "longer than");
  }

  @Test
  void malformedLinesAreOnlyEverRefused() {
    RecordStore store = open(ANIMALS, PICTURES);
    int runs = Integer.getInteger("FUZZ_RUNS", 300);
    RandomSource randomSource = RandomSource.seeded(SEED);
    byte[] original = withFooter(List.of(CAT, PICTURE)).getBytes(StandardCharsets.UTF_8);
    for (int run = 0; run < runs; run++) {
      byte[] bytes = original.clone();
      for (int i = 0; i <= randomSource.nextInt(4); i++) {
        mutateBytes(bytes, randomSource);
      }
      boolean reframed = randomSource.nextInt(2) == 0;
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      byte[] tried = reframed ? withFittingFooter(text).getBytes(StandardCharsets.UTF_8) : bytes;
      try {
        maintenanceOf(store)
            .importFrom(writeFile("fuzz", tried), ImportMode.REPLACE, ProgressListener.NONE);
      } catch (CaliberException e) {
        assertThat(e.code())
            .as("seed %d, run %d: %s", SEED, run, e.toLine())
            .isEqualTo(StoreErrorCode.IMPORT_INVALID);
        assertThat(e).hasMessageContaining("nothing was imported").hasMessageMatching("[^\\n]*");
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d, run %d".formatted(SEED, run), e);
      }
    }
    assertThat(maintenanceOf(store).examine(ProgressListener.NONE).findings())
        .as("seed %d", SEED)
        .isEmpty();
  }

  private static void mutateBytes(byte[] bytes, RandomSource randomSource) {
    int at = randomSource.nextInt(bytes.length);
    switch (randomSource.nextInt(3)) {
      case 0 -> bytes[at] = (byte) randomSource.nextInt(256);
      case 1 -> bytes[at] = (byte) "{}[]\",:0-9eE\\\n".charAt(randomSource.nextInt(14));
      default -> bytes[at] = bytes[randomSource.nextInt(bytes.length)];
    }
  }

  /** Returns the text with a matching footer, so that its lines are checked to the end. */
  private static String withFittingFooter(String text) {
    List<String> lines = text.lines().toList();
    return withFooter(lines.subList(Math.min(1, lines.size()), Math.max(1, lines.size() - 1)));
  }

  private void assertLineRefused(RecordStore store, String line, String... words) {
    assertImportRefused(store, withFooter(List.of(line)), 2, words);
  }

  private void assertImportRefused(RecordStore store, String text, int line, String... words) {
    Path file = writeFile("refused", text);
    assertRefused(StoreErrorCode.IMPORT_INVALID, () -> importFile(store, file), words);
    assertRefused(
        StoreErrorCode.IMPORT_INVALID,
        () -> importFile(store, file),
        file + ":" + line + ": ",
        "; nothing was imported");
  }

  private static ImportReport importFile(RecordStore store, Path file) {
    return maintenanceOf(store).importFrom(file, ImportMode.FAIL, ProgressListener.NONE);
  }

  private void assertTextImported(
      RecordStore store, String text, ImportMode mode, long created, long replaced, long skipped) {
    ImportReport report =
        maintenanceOf(store).importFrom(writeFile("i", text), mode, ProgressListener.NONE);
    assertThat(List.of(report.created(), report.replaced(), report.skipped()))
        .containsExactly(created, replaced, skipped);
  }

  private static String nameOf(RecordStore store, String id) {
    return store.read(SPACE, s -> s.get(ANIMALS, id)).name();
  }
}
