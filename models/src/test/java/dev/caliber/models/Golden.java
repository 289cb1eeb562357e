package dev.caliber.models;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Reference results of other programs: {@code e5-pieces.tsv} from Hugging Face's tokenizer 0.36
 * (the text in Base64, a tab, the numbers), {@code e5-vectors.tsv} from LangChain4j 1.20's
 * E5SmallV2EmbeddingModel (the text, a tab, little-endian floats in Base64).
 */
final class Golden {

  private Golden() {}

  static Stream<List<String>> rows(String file) {
    try (InputStream in = Objects.requireNonNull(Golden.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> List.of(line.split("\t", -1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  static float[] floats(String base64) {
    return dev.caliber.kernel.Vectors.fromBytes(Base64.getDecoder().decode(base64));
  }
}
