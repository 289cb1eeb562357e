package dev.caliber.lang.pack.manifest;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.caliber.lang.pack.PackAnswers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jazzer's search for packs without a result. Without {@code JAZZER_FUZZ=1} it only tries its start
 * inputs: the golden cases. The bytes are the files, each after a line that begins with a form feed
 * and contains its path.
 */
@Tag("fuzz")
class PackComposerFuzzTest {
  private static final String MARK = "\f";

  static Stream<Arguments> seeds() {
    return PackCase.all().stream()
        .map(golden -> written(golden.source()))
        .filter(bytes -> bytes.length < 10_000)
        .map(bytes -> Arguments.of((Object) bytes));
  }

  @MethodSource("seeds")
  @DisplayName("PACK-26: no pack that coverage leads to breaks the composer")
  @DictionaryEntries({
    "[agents.",
    "[tools.bin.",
    "[memories.",
    "[policies.",
    "[injections.",
    "[adapters.sqlite.",
    "[providers.",
    "[formats.",
    "[[",
    "\"\"\"",
    "'''",
    "= { ",
    "${ENV:",
    "${tools.",
    "allow_network = true",
    "token_budget = ",
    "contract = \"",
    "schema = { ",
    "\"$ref\": \"",
    "\"pattern\": \"",
    "# caliber lock 1",
    "../",
    "cal.lock"
  })
  @FuzzTest
  void everyPackIsAnswered(byte[] bytes) {
    PackSource source;
    try {
      source = PackSource.of(read(bytes));
    } catch (PackException _) {
      return;
    }
    PackAnswers.check(source);
  }

  private static byte[] written(PackSource source) {
    var text = new StringBuilder();
    source.paths().stream()
        .filter(path -> source.text(path).isPresent())
        .forEach(path -> text.append(MARK + path + "\n" + source.text(path).orElseThrow()));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, byte[]> read(byte[] bytes) {
    var files = new TreeMap<String, byte[]>();
    for (String file : new String(bytes, StandardCharsets.ISO_8859_1).split(MARK, -1)) {
      List<String> parts = new ArrayList<>(List.of(file.split("\n", 2)));
      parts.add("");
      String path =
          new String(parts.get(0).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      files.put(path, parts.get(1).getBytes(StandardCharsets.ISO_8859_1));
    }
    Assertions.assertThat(files).isNotEmpty();
    files.remove("");
    return files;
  }
}
