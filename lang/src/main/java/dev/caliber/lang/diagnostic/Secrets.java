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
 * Finds what looks like a secret in any text: keys and tokens in the shapes of their makers,
 * private keys, addresses with passwords, and random values after words such as password. What it
 * finds is never repeated.
 */
public final class Secrets {
  private static final double LEAST_BITS_BOUND = 3.2;
  private static final int LEAST_SWITCHES_BOUND = 3;
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?:.*[_.-])?(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|private|secret)[_-]?key)");
  private static final Pattern STAND_IN =
      Pattern.compile("(?i)[x*.#_-]+|(?:your|my|the|example|change|dummy|sample|fake|test)[_-]?.*");

  private Secrets() {}

  /**
   * One thing that looks like a secret.
   *
   * @param what what it is, without repeating it
   * @param from its offset in the text
   * @param to the offset after it
   */
  public record Secret(String what, int from, int to) {}

  /** What looks like a secret in a text, in its order. One inside another is not told. */
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

  /** Reports what looks like a secret in a text, and whether there was something. */
  public static boolean report(String text, Places places, Diagnostics diagnostics) {
    var secrets = find(text);
    secrets.forEach(secret -> report(secret, places, diagnostics));
    return !secrets.isEmpty();
  }

  private static void report(Secret secret, Places places, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.RAW_SECRET,
        places.span(secret.from(), secret.to()),
        "this looks like " + secret.what(),
        "take it out and replace it: whoever has the file has it; packs refer to secrets as ${ENV:NAME}");
  }

  /** Reports what looks like a secret in a whole source, where nobody has yet. */
  public static void reportRest(String source, Diagnostics diagnostics) {
    var secrets = find(source);
    if (!secrets.isEmpty()) {
      var places = new SourcePlaces(source);
      secrets.stream()
          .filter(it -> !diagnostics.tellsSecretAt(places.span(it.from(), it.to()).line()))
          .forEach(it -> report(it, places, diagnostics));
    }
  }

  /** The text with dots in place of what looks like a secret. */
  public static String hidden(String text) {
    var shown = new StringBuilder(text);
    find(text).reversed().forEach(it -> shown.replace(it.from(), it.to(), "…"));
    return shown.toString();
  }

  /** Whether a setting of this name holds a secret, whatever its value looks like. */
  public static boolean isSecretName(String name) {
    return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** The text in quotation marks, or dots if it looks like a secret. */
  public static String quote(String text) {
    return find(text).isEmpty() ? Wording.quote(text) : "'…'";
  }

  private static Stream<Secret> find(SecretShape shape, String text, String lowerCase) {
    return shape
        .find(text, lowerCase)
        .map(match -> new Secret(shape.title(), shape.from(match), shape.to(match)))
        .filter(secret -> isReal(shape.counts(), text.substring(secret.from(), secret.to())));
  }

  private static boolean isReal(SecretShape.Counts counts, String value) {
    return switch (counts) {
      case WHOLE -> true;
      case VALUE -> !isStandIn(value);
      case RANDOM_VALUE -> !isStandIn(value) && isRandom(value);
    };
  }

  private static boolean isStandIn(String value) {
    return STAND_IN.matcher(value).matches();
  }

  /** Whether a value changes between letters and digits, and has as many bits, as chance does. */
  private static boolean isRandom(String value) {
    return !value.contains("://")
        && switches(value) >= LEAST_SWITCHES_BOUND
        && bits(value) >= LEAST_BITS_BOUND;
  }

  private static long switches(String value) {
    return IntStream.range(1, value.length())
        .filter(i -> isSwitch(value.charAt(i - 1), value.charAt(i)))
        .count();
  }

  private static boolean isSwitch(char one, char other) {
    return Character.isDigit(one)
        ? Character.isLetter(other)
        : Character.isLetter(one) && Character.isDigit(other);
  }

  /** Bits per character, by how often each occurs. */
  private static double bits(String value) {
    var counts =
        value.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
    return counts.values().stream()
        .mapToDouble(count -> (double) count / value.length())
        .map(share -> -share * Math.log(share) / Math.log(2))
        .sum();
  }
}
