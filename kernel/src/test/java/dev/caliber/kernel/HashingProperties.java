package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HashingProperties {
  @Property
  @Label("C-21: different lists of fields have different hashes")
  void differentListsHaveDifferentHashes(
      @ForAll("fields") List<String> one, @ForAll("fields") List<String> other) {
    assertThat(hash(one).equals(hash(other))).isEqualTo(one.equals(other));
  }

  @Property
  @Label("C-21: cutting the same text elsewhere changes the hash")
  void cuttingElsewhereChangesTheHash(
      @ForAll("field") String text, @ForAll int first, @ForAll int second) {
    int one = Math.floorMod(first, text.length() + 1);
    int other = Math.floorMod(second, text.length() + 1);
    Assume.that(one != other);
    assertThat(hash(cut(text, one))).isNotEqualTo(hash(cut(text, other)));
  }

  @Property
  void theBytesOfWellFormedTextAreUtf8AndAsManyAsCounted(@ForAll String text) {
    byte[] bytes = Utf8.bytes(text);
    assertThat(Utf8.length(text)).isEqualTo(bytes.length);
    if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Provide
  Arbitrary<String> field() {
    // The characters of the layout itself, and halves of surrogate pairs, which plain UTF-8 would
    // make equal.
    return Arbitraries.strings().withChars("01:|a?\uD800\uDC00").ofMaxLength(6);
  }

  @Provide
  Arbitrary<List<String>> fields() {
    return field().list().ofMaxSize(3);
  }

  private static List<String> cut(String text, int at) {
    return List.of(text.substring(0, at), text.substring(at));
  }

  private static String hash(List<String> fields) {
    return FieldHash.hash("kind", fields.toArray(String[]::new));
  }
}
