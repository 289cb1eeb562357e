package dev.caliber.lang;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Where Jazzer's searches begin: the golden cases, but for the very long ones. */
public final class FuzzSeeds {
  private static final int LONGEST = 5_000;

  private FuzzSeeds() {}

  /** Configurations. */
  public static Stream<Arguments> sources() {
    return seeds(GoldenCase.all().stream().map(GoldenCase::source));
  }

  /** Prompts. */
  public static Stream<Arguments> prompts() {
    return seeds(PromptCase.all().stream().map(PromptCase::source));
  }

  private static Stream<Arguments> seeds(Stream<String> texts) {
    return texts
        .filter(text -> text.length() < LONGEST)
        .map(text -> Arguments.of((Object) text.getBytes(StandardCharsets.UTF_8)));
  }
}
