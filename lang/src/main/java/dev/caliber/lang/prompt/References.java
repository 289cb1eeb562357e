package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Places;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds references in any text. Whether what they name exists is for others to say. */
public final class References {
  static final String ENVIRONMENT = "ENV";
  static final String INPUT = "INPUT";

  private static final String OPENING = "${";
  private static final Pattern SETTING =
      Pattern.compile("(?:meta|agents|tools)(?:\\.[A-Za-z0-9_-]+)+");
  private static final Pattern VARIABLE = Pattern.compile("ENV:[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern QUESTION = Pattern.compile("INPUT:[a-z_][a-z0-9_]*");
  private static final Pattern ANY = Pattern.compile("\\$\\{[^}$\\r\\n]*+\\}");
  private static final Pattern POINT = Pattern.compile("\\.");
  private static final Pattern ROOT_END = Pattern.compile("[.:]");
  private static final Span NOWHERE = new Span(1, 1, 1, 1);

  private final String text;
  private final Places places;
  private final Diagnostics diagnostics;
  private final NavigableMap<Integer, Reference> found = new TreeMap<>();

  private References(String text, Places places, Diagnostics diagnostics) {
    this.text = text;
    this.places = places;
    this.diagnostics = diagnostics;
  }

  /** All references of a text in their order. Those that are none are reported and left out. */
  public static List<Reference> scan(String text, Places places, Diagnostics diagnostics) {
    return List.copyOf(locate(text, places, diagnostics).values());
  }

  /** The same, by the offset of their dollar signs. */
  static NavigableMap<Integer, Reference> locate(
      String text, Places places, Diagnostics diagnostics) {
    var references = new References(text, places, diagnostics);
    for (int at = text.indexOf(OPENING); at >= 0; at = text.indexOf(OPENING, at)) {
      at = references.one(at);
    }
    return references.found;
  }

  /** Whether a text is made of references, well-formed or not, and white space. */
  public static boolean only(String text) {
    return !text.isBlank() && ANY.matcher(text).replaceAll("").isBlank();
  }

  /** The text with values in the place of its references; what comes in is not looked at again. */
  public static String replace(String text, Function<Reference, String> values) {
    var replaced = new StringBuilder();
    int done = 0;
    for (var entry : locate(text, (_, _) -> NOWHERE, new Diagnostics("")).entrySet()) {
      replaced.append(text, done, entry.getKey()).append(values.apply(entry.getValue()));
      done = entry.getKey() + entry.getValue().text().length();
    }
    return replaced.append(text, done, text.length()).toString();
  }

  /** Reads the reference at an offset and says where to go on. */
  private int one(int start) {
    int end = end(start + OPENING.length());
    if (end >= text.length() || text.charAt(end) != '}') {
      malformed(places.span(start, end), "a reference has no '}' on its line", "close it with '}'");
      return end;
    }
    var span = places.span(start, end + 1);
    String path = text.substring(start + OPENING.length(), end);
    if (end + 1 - start > PromptBounds.REFERENCE) {
      malformed(
          span,
          "a reference of " + (end + 1 - start) + " characters",
          "at most " + PromptBounds.REFERENCE + " characters");
    } else {
      read(path, span).ifPresentOrElse(it -> found.put(start, it), () -> refuse(path, span));
    }
    return end + 1;
  }

  /** Where the reference's path ends: at a brace, the next reference, or the end of its line. */
  private int end(int from) {
    int end = from;
    while (end < text.length() && "}\n\r".indexOf(text.charAt(end)) < 0 && !opens(end)) {
      end++;
    }
    return end;
  }

  private boolean opens(int index) {
    return text.startsWith(OPENING, index);
  }

  private static Optional<Reference> read(String path, Span span) {
    if (SETTING.matcher(path).matches()) {
      var keys = List.of(POINT.split(path));
      return Optional.of(
          new Reference.Setting(
              root(keys.getFirst()).orElseThrow(), keys.subList(1, keys.size()), span));
    }
    String name = path.substring(path.indexOf(':') + 1);
    if (VARIABLE.matcher(path).matches()) {
      return Optional.of(new Reference.Environment(name, span));
    }
    return QUESTION.matcher(path).matches()
        ? Optional.of(new Reference.Input(name, span))
        : Optional.empty();
  }

  private static Optional<Reference.Root> root(String word) {
    return Arrays.stream(Reference.Root.values()).filter(it -> it.word().equals(word)).findFirst();
  }

  private void refuse(String path, Span span) {
    if (diagnostics.isFull()) {
      return;
    }
    String root = ROOT_END.split(path, 2)[0];
    var kind = kinds().stream().filter(it -> it.equalsIgnoreCase(root.strip())).findFirst();
    if (kind.isPresent()) {
      malformed(
          span, Secrets.quote(OPENING + path + "}") + " is not a reference", form(kind.get()));
    } else {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          span,
          Secrets.quote(root) + " is nothing to refer to",
          () -> Wording.suggest("kind of reference", root, kinds()));
    }
  }

  private static List<String> kinds() {
    var roots = Arrays.stream(Reference.Root.values()).map(Reference.Root::word);
    return Stream.concat(roots, Stream.of(ENVIRONMENT, INPUT)).toList();
  }

  private static String form(String root) {
    return switch (root) {
      case ENVIRONMENT -> "write ${ENV:NAME}, with a name of letters, digits and _";
      case INPUT -> "write ${INPUT:name}, with a name of a-z, 0-9 and _";
      default ->
          "write ${"
              + root
              + ".key}, with keys of letters, digits, _ and -, '.' between them, and no blanks";
    };
  }

  private void malformed(Span span, String message, String suggestion) {
    diagnostics.report(DiagnosticCode.MALFORMED_REFERENCE, span, message, suggestion);
  }
}
