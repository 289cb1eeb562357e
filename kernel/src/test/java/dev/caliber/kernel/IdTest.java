package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdTest {
  private static final String ULID = "01H455VB4PEX5VSKNK084SN02Q";
  private static final UUID SAME = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

  @Test
  void readsUlidAndUuidTextOfEitherCase() {
    assertThat(Id.parse(ULID)).isEqualTo(Id.of(SAME)).hasToString(ULID);
    assertThat(Id.parse(ULID.toLowerCase(Locale.ROOT))).isEqualTo(Id.of(SAME));
    assertThat(Id.parse(SAME.toString())).isEqualTo(Id.of(SAME));
    assertThat(Id.parse(SAME.toString().toUpperCase(Locale.ROOT))).isEqualTo(Id.of(SAME));
    assertThat(Id.parse(ULID).toUuid()).isEqualTo(SAME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "81H455VB4PEX5VSKNK084SN02Q",
        "01H455VB4PEX5VSKNK084SN02U",
        "01H455VB4PEX5VSKNK084SN0２Q",
        "01890a5dac96774bbcceb302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a805g",
        "01890a5d-ac96-774b-bcceb-302099a8057",
        "01890a5d+ac96-774b-bcce-b302099a8057"
      })
  void refusesOtherTextAndNamesIt(String text) {
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> Id.parse(text)))
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  @DisplayName("UTL-01: a version 7 id tells its millisecond, another has none")
  void version7TellsItsMillisecond() {
    assertThat(Id.of(SAME).time()).isEqualTo(Instant.ofEpochMilli(1_688_096_058_518L));
    refused(KernelErrorCode.INVALID_VALUE, () -> Id.derivedFrom("note", "a").time());
  }

  @Test
  @DisplayName("C-21: a deterministic id is the beginning of the hash, as version 8")
  void deterministicIdsAreFixed() {
    var id = Id.derivedFrom("change", "sync", "host-1", "42");
    assertThat(id).hasToString("1VKXA2SRX3HFBR8T0WY11R9MTJ");
    assertThat(id.toUuid()).hasToString("3b9f542c-e3a3-8bd7-8468-1cf04384d352");
    assertThat(id.version()).isEqualTo(8);
    assertThat(id.toUuid().variant()).isEqualTo(2);
  }

  @Test
  void spaceNamesAreChecked() {
    assertThat(SpaceId.DEFAULT).hasToString("default");
    assertThat(new SpaceId("a")).isLessThan(new SpaceId("b"));
    assertThat(new SpaceId("0.team_a-" + "x".repeat(55)).value()).hasSize(64);
    for (String name :
        new String[] {"", "A", "-a", ".a", "_a", "a/b", "a b", "ä", "x".repeat(65)}) {
      assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> new SpaceId(name)))
          .hasMessageContaining("[a-z0-9][a-z0-9._-]{0,63}");
    }
  }
}
