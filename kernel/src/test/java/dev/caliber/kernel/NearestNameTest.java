package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void theNearestNameNeedsTheFewestEdits() {
    assertThat(NearestName.editDistance("kitten", "sitting")).isEqualTo(3);
    assertThat(NearestName.editDistance("", "abc")).isEqualTo(3);
    assertThat(NearestName.find("prot", List.of("host", "port"))).contains("port");
    assertThat(NearestName.find("zebra", List.of("host", "port"))).isEmpty();
    assertThat(NearestName.find("x", List.of())).isEmpty();
  }
}
