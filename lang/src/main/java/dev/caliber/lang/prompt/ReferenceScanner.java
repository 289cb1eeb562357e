package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.SpanLocator;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds references in any text, without resolving them. */
public final class ReferenceScanner {
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
  private final SpanLocator spanLocator;
  private final Diagnostics diagnostics;
  private final NavigableMap<Integer, Reference> found = new TreeMap<>();

  private ReferenceScanner(String text, SpanLocator spanLocator, Diagnostics diagnostics) {
    this.text = text;
    this.spanLocator = spanLocator;
    this.diagnostics = diagnostics;
  }

  /** Returns all references of a text in their order; reports and leaves out malformed ones. */
  public static List<Reference> scan(
      String text, SpanLocator spanLocator, Diagnostics diagnostics) {
    return List.copyOf(locate(text, spanLocator, diagnostics).values());
  }

  /** Returns all references, by the offset of their dollar signs. */
  static NavigableMap<Integer, Reference> locate(
      String text, SpanLocator spanLocator, Diagnostics diagnostics) {
    var referenceScanner = new ReferenceScanner(text, spanLocator, diagnostics);
    for (int at = text.indexOf(OPENING); at >= 0; at = text.indexOf(OPENING, at)) {
      at = referenceScanner.readReference(at);
    }
    return referenceScanner.found;
  }

  /** Returns whether a text consists of references, well-formed or not, and white space. */
  public static boolean isOnlyReferences(String text) {
    return !text.isBlank() && ANY.matcher(text).replaceAll("").isBlank();
  }

  /** Replaces the references of a text by values, which are not scanned again. */
  public static String replace(String text, Function<Reference, String> values) {
    var replaced = new StringBuilder();
    int done = 0;
    for (var entry : locate(text, (_, _) -> NOWHERE, new Diagnostics("")).entrySet()) {
      replaced.append(text, done, entry.getKey()).append(values.apply(entry.getValue()));
      done = entry.getKey() + entry.getValue().text().length();
    }
    return replaced.append(text, done, text.length()).toString();
  }

  /** Reads the reference at an offset and returns where to continue. */
  private int readReference(int start) {
    int end = pathEnd(start + OPENING.length());
    if (end >= text.length() || text.charAt(end) != '}') {
      reportMalformed(
          spanLocator.span(start, end), "a reference has no '}' on its line", "close it with '}'");
      return end;
    }
    var span = spanLocator.span(start, end + 1);
    String path = text.substring(start + OPENING.length(), end);
    if (end + 1 - start > PromptBounds.REFERENCE) {
      reportMalformed(
          span,
          "a reference of " + (end + 1 - start) + " characters",
          "at most " + PromptBounds.REFERENCE + " characters");
    } else {
      read(path, span).ifPresentOrElse(it -> found.put(start, it), () -> reportUnknown(path, span));
    }
    return end + 1;
  }

  /** Returns the end of the reference's path: a brace, the next reference, or the line's end. */
  private int pathEnd(int from) {
    int end = from;
    while (end < text.length() && "}\n\r".indexOf(text.charAt(end)) < 0 && !startsReference(end)) {
      end++;
    }
    return end;
  }

  private boolean startsReference(int index) {
    return text.startsWith(OPENING, index);
  }

  private static Optional<Reference> read(String path, Span span) {
    if (SETTING.matcher(path).matches()) {
      var keys = List.of(POINT.split(path));
      return Optional.of(
          new Reference.SettingReference(
              root(keys.getFirst()).orElseThrow(), keys.subList(1, keys.size()), span));
    }
    String name = path.substring(path.indexOf(':') + 1);
    if (VARIABLE.matcher(path).matches()) {
      return Optional.of(new Reference.EnvironmentReference(name, span));
    }
    return QUESTION.matcher(path).matches()
        ? Optional.of(new Reference.InputReference(name, span))
        : Optional.empty();
  }

  private static Optional<Reference.ReferenceRoot> root(String word) {
    return Arrays.stream(Reference.ReferenceRoot.values())
        .filter(it -> it.word().equals(word))
        .findFirst();
  }

  private void reportUnknown(String path, Span span) {
    if (diagnostics.isFull()) {
      return;
    }
    String root = ROOT_END.split(path, 2)[0];
    var kind = kinds().stream().filter(it -> it.equalsIgnoreCase(root.strip())).findFirst();
    if (kind.isPresent()) {
      reportMalformed(
          span,
          SecretScanner.quote(OPENING + path + "}") + " is not a reference",
          form(kind.get()));
    } else {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          span,
          SecretScanner.quote(root) + " cannot be referred to",
          () -> DiagnosticText.suggest("kind of reference", root, kinds()));
    }
  }

  private static List<String> kinds() {
    var roots = Arrays.stream(Reference.ReferenceRoot.values()).map(Reference.ReferenceRoot::word);
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

  private void reportMalformed(Span span, String message, String suggestion) {
    diagnostics.report(DiagnosticCode.MALFORMED_REFERENCE, span, message, suggestion);
  }
}
