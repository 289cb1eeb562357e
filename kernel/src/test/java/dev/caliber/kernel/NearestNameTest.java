package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void theNearestNameNeedsTheFewestEdits() {
    assertThat(NearestName.edits("kitten", "sitting")).isEqualTo(3);
    assertThat(NearestName.edits("", "abc")).isEqualTo(3);
    assertThat(NearestName.of("prot", List.of("host", "port"))).contains("port");
    assertThat(NearestName.of("zebra", List.of("host", "port"))).isEmpty();
    assertThat(NearestName.of("x", List.of())).isEmpty();
  }
}
