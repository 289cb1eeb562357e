package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.Catalogues;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.manifest.PackCase;
import dev.caliber.lang.pack.manifest.Packs;
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
 * Tests every case in resources/packs. With {@code -Dgolden.write=true} the expected files are
 * written instead of compared; review the difference.
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
      "PACK-26: a pack composes, or gives exactly its diagnostics in their files and positions")
  void saysExactlyThat(PackCase golden) throws IOException {
    var result = Packs.COMPOSER.compose(golden.source());
    String found = PackCase.describe(result);
    if (WRITE) {
      Files.writeString(golden.expectedFile(), found);
    }
    assertThat(found).isEqualTo(golden.expected());
    assertThat(result instanceof ComposeResult.ComposeSuccess).isEqualTo(golden.isValid());
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName(
      "PACK-25: the source of the language parses to the same tree and compiles to the same configuration")
  void theSourceParsesToTheSameTree(PackCase golden) {
    var composeSuccess = Packs.composed(golden.source());
    var diagnostics = new Diagnostics("dsl");
    assertThat(Parser.parse(composeSuccess.dslSource(), diagnostics).ast())
        .isEqualTo(composeSuccess.ast());
    assertThat(diagnostics.sorted()).isEmpty();
    var compileSuccess =
        (CompileResult.CompileSuccess)
            Compiler.create(Catalogues.product()).compile("dsl", composeSuccess.dslSource());
    assertThat(compileSuccess.config()).isEqualTo(composeSuccess.config());
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName("PACK-23: the typed records of a pack survive JSON")
  void recordsSurviveJson(PackCase golden) {
    var composeSuccess = Packs.composed(golden.source());
    var read = Json.read(composeSuccess.irJson(), Pack.class);
    assertThat(read).isEqualTo(composeSuccess.ir());
    assertThat(Json.text(read)).isEqualTo(composeSuccess.irJson());
  }

  @Test
  @DisplayName("PACK-33: there are at least 60 cases")
  void thereAreEnough() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(60);
  }
}
