package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class IdProperties {
  @Property
  void textAndUuidKeepTheId(@ForAll long high, @ForAll long low) {
    var id = new Id(high, low);
    assertThat(Id.parse(id.toString())).isEqualTo(id);
    assertThat(Id.parse(id.toString().toLowerCase(Locale.ROOT))).isEqualTo(id);
    assertThat(Id.of(id.toUuid())).isEqualTo(id);
    assertThat(Id.parse(id.toUuid().toString())).isEqualTo(id);
  }

  @Property
  void idsAndTheirTextsHaveOneOrder(
      @ForAll long high, @ForAll long low, @ForAll long otherHigh, @ForAll long otherLow) {
    var one = new Id(high, low);
    var other = new Id(otherHigh, otherLow);
    int order = Integer.signum(one.compareTo(other));
    assertThat(Integer.signum(one.toString().compareTo(other.toString()))).isEqualTo(order);
    assertThat(Integer.signum(one.toUuid().toString().compareTo(other.toUuid().toString())))
        .isEqualTo(order);
    assertThat(order == 0).isEqualTo(one.equals(other));
  }
}
