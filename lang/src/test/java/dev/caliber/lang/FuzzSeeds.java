package dev.caliber.lang;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Start inputs of Jazzer's searches: the golden cases, except the very long ones. */
public final class FuzzSeeds {
  private static final int LONGEST = 5_000;

  private FuzzSeeds() {}

  /** Returns configurations. */
  public static Stream<Arguments> sources() {
    return seeds(GoldenCase.all().stream().map(GoldenCase::source));
  }

  /** Returns prompts; the last is many in one, since Jazzer makes none much longer. */
  public static Stream<Arguments> prompts() {
    var sources = PromptCase.all().stream().map(PromptCase::source).toList();
    return seeds(Stream.concat(sources.stream(), Stream.of(together(sources))));
  }

  private static String together(List<String> sources) {
    var text = new StringBuilder();
    sources.stream()
        .filter(source -> text.length() + source.length() < LONGEST)
        .forEach(text::append);
    return text.toString();
  }

  private static Stream<Arguments> seeds(Stream<String> texts) {
    return texts
        .filter(text -> text.length() < LONGEST)
        .map(text -> Arguments.of((Object) text.getBytes(StandardCharsets.UTF_8)));
  }
}
