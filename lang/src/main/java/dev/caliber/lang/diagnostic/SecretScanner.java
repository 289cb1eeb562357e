package dev.caliber.lang.diagnostic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds likely secrets in any text: keys and tokens in known formats, private keys, addresses with
 * passwords, and random values after words such as password. It never repeats a secret.
 */
public final class SecretScanner {
  private static final double LEAST_BITS_BOUND = 3.2;
  private static final int LEAST_SWITCHES_BOUND = 3;
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?:.*[_.-])?(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|private|secret)[_-]?key)");
  private static final Pattern STAND_IN =
      Pattern.compile("(?i)[x*.#_-]+|(?:your|my|the|example|change|dummy|sample|fake|test)[_-]?.*");

  private SecretScanner() {}

  /**
   * A likely secret.
   *
   * @param what its kind, without the secret itself
   * @param from its start offset in the text
   * @param to the offset after it
   */
  public record Secret(String what, int from, int to) {}

  /** Returns the likely secrets of a text, in their order, without those inside another. */
  public static List<Secret> find(String text) {
    String lowerCase = text.toLowerCase(Locale.ROOT);
    var all =
        SecretShape.ALL.stream()
            .flatMap(shape -> find(shape, text, lowerCase))
            .sorted(
                Comparator.comparingInt(Secret::from)
                    .thenComparing(Secret::to, Comparator.reverseOrder()))
            .toList();
    var outer = new ArrayList<Secret>();
    for (var secret : all) {
      if (outer.isEmpty() || secret.from() >= outer.getLast().to()) {
        outer.add(secret);
      }
    }
    return List.copyOf(outer);
  }

  /** Reports likely secrets of a text; returns whether there were any. */
  public static boolean report(String text, SpanLocator spanLocator, Diagnostics diagnostics) {
    var secrets = find(text);
    secrets.forEach(secret -> report(secret, spanLocator, diagnostics));
    return !secrets.isEmpty();
  }

  private static void report(Secret secret, SpanLocator spanLocator, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.RAW_SECRET,
        spanLocator.span(secret.from(), secret.to()),
        "this looks like " + secret.what(),
        "remove the secret from the file and replace it by a new one, since everyone with the file knows it; packs refer to secrets as ${ENV:NAME}");
  }

  /** Reports likely secrets of a whole source that were not reported before. */
  public static void reportUnreported(String source, Diagnostics diagnostics) {
    var secrets = find(source);
    if (!secrets.isEmpty()) {
      var places = new SourceSpanLocator(source);
      secrets.stream()
          .filter(it -> !diagnostics.hasSecretAt(places.span(it.from(), it.to()).line()))
          .forEach(it -> report(it, places, diagnostics));
    }
  }

  /** Returns the text with dots in place of likely secrets. */
  public static String mask(String text) {
    var shown = new StringBuilder(text);
    find(text).reversed().forEach(it -> shown.replace(it.from(), it.to(), "…"));
    return shown.toString();
  }

  /** Returns whether a setting of this name holds a secret, whatever its value looks like. */
  public static boolean isSecretName(String name) {
    return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** Returns the text in quotation marks, or dots if it looks like a secret. */
  public static String quote(String text) {
    return find(text).isEmpty() ? DiagnosticText.quote(text) : "'…'";
  }

  private static Stream<Secret> find(SecretShape shape, String text, String lowerCase) {
    return shape
        .find(text, lowerCase)
        .map(match -> new Secret(shape.title(), shape.from(match), shape.to(match)))
        .filter(secret -> isReal(shape.counts(), text.substring(secret.from(), secret.to())));
  }

  private static boolean isReal(SecretShape.SecretExtent secretExtent, String value) {
    return switch (secretExtent) {
      case WHOLE -> true;
      case VALUE -> !isPlaceholder(value);
      case RANDOM_VALUE -> !isPlaceholder(value) && isRandom(value);
    };
  }

  private static boolean isPlaceholder(String value) {
    return STAND_IN.matcher(value).matches();
  }

  /** Returns whether a value is as random as a secret. */
  private static boolean isRandom(String value) {
    return !value.contains("://")
        && countSwitches(value) >= LEAST_SWITCHES_BOUND
        && bitsPerCharacter(value) >= LEAST_BITS_BOUND;
  }

  private static long countSwitches(String value) {
    return IntStream.range(1, value.length())
        .filter(i -> isSwitch(value.charAt(i - 1), value.charAt(i)))
        .count();
  }

  private static boolean isSwitch(char one, char other) {
    return Character.isDigit(one)
        ? Character.isLetter(other)
        : Character.isLetter(one) && Character.isDigit(other);
  }

  /** Returns the bits per character, by how often each occurs. */
  private static double bitsPerCharacter(String value) {
    var counts =
        value.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
    return counts.values().stream()
        .mapToDouble(count -> (double) count / value.length())
        .map(share -> -share * Math.log(share) / Math.log(2))
        .sum();
  }
}
