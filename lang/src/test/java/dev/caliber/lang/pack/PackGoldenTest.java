package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.Catalogues;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Parser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every case in resources/packs. With {@code -Dgolden.write=true} the expected files are written
 * instead of compared; look at the difference.
 */
class PackGoldenTest {
  private static final boolean WRITE = Boolean.getBoolean("golden.write");

  static List<PackCase> cases() {
    return PackCase.all();
  }

  static Stream<PackCase> validCases() {
    return cases().stream().filter(PackCase::isValid);
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName(
      "PACK-26: a pack gives everything, or exactly its diagnostics in their files and places")
  void saysExactlyThat(PackCase golden) throws IOException {
    var result = Packs.COMPOSER.compose(golden.source());
    String found = PackCase.describe(result);
    if (WRITE) {
      Files.writeString(golden.expectedFile(), found);
    }
    assertThat(found).isEqualTo(golden.expected());
    assertThat(result instanceof ComposeResult.Composed).isEqualTo(golden.isValid());
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName(
      "PACK-25: the source of the language parses to the same tree and compiles to the same configuration")
  void theSourceParsesToTheSameTree(PackCase golden) {
    var composed = Packs.composed(golden.source());
    var diagnostics = new Diagnostics("dsl");
    assertThat(Parser.parse(composed.dslSource(), diagnostics).ast()).isEqualTo(composed.ast());
    assertThat(diagnostics.sorted()).isEmpty();
    var compiled =
        (CompileResult.Compiled)
            Compiler.create(Catalogues.product()).compile("dsl", composed.dslSource());
    assertThat(compiled.config()).isEqualTo(composed.config());
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName("PACK-23: the typed records of a pack survive JSON")
  void recordsSurviveJson(PackCase golden) {
    var composed = Packs.composed(golden.source());
    var read = Json.read(composed.irJson(), Pack.class);
    assertThat(read).isEqualTo(composed.ir());
    assertThat(Json.text(read)).isEqualTo(composed.irJson());
  }

  @Test
  @DisplayName("PACK-33: there are at least 60 cases")
  void thereAreEnough() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(60);
  }
}
