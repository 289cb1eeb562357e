package dev.caliber.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.Wiring;
import dev.caliber.store.Table;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordOwnersTest {
  /** Tables that no call with a subject reads. */
  private static final Set<String> HIDDEN =
      Set.of("message", "notice", "api_key", "webhook", "webhook_secret", "webhook_cursor");

  @Test
  @DisplayName("every table says whose its records are, or is hidden from calls with a subject")
  void everyTableIsKnown() {
    assertThat(
            Wiring.tables().stream()
                .filter(table -> !RecordVisibilityRules.isTableKnown(table))
                .map(Table::name)
                .collect(Collectors.toSet()))
        .isEqualTo(HIDDEN);
  }
}
