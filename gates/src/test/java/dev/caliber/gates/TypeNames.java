package dev.caliber.gates;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Gate on type names (STYLE rule 11): a name is a noun phrase that says what an instance is, and
 * one simple name means one thing. A name of participles, gerunds, adverbs, pronouns and
 * prepositions alone is refused, and so is a simple name that one module declares twice.
 */
final class TypeNames {
  private static final Pattern WORD = Pattern.compile("[A-Z][a-z0-9]*|[A-Z]+(?![a-z])");

  private static final Set<String> NO_NOUNS =
      words(
          """
          told kept found made known given said begun done sent left lost meant held taken shown
          written gone chosen drawn caught met heard seen understood worn torn thrown stood spoken
          stolen fed forgotten hidden broken frozen grown risen fallen driven bidden bought brought
          since until then now again once twice here there still also ever never soon later away
          apart ago already alone together almost before after over under among beside between
          within without whoever whatever who whom whose it its they them their each every all any
          some none other others another nobody somebody someone everyone anyone this that these
          those
          """);

  /** English nouns that end like a participle or an adverb. */
  private static final Set<String> NOUNS =
      words(
          """
          assembly binding briefing building bullying ceiling embed embedding encoding family feed
          finding fly heading hundred king linting listing mapping meaning morning need opening
          ordering ping ranking reading recording reed reply ring routing seed setting shed sibling
          spelling speed spring string supply testing thing timing tracing training wiring warning
          weed wing wording
          """);

  private TypeNames() {}

  /** Returns types whose name has no noun in it. */
  static List<GateFinding> withoutNoun(List<JavaSource> sources) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      eachType(
          javaSource,
          type -> {
            var name = type.getSimpleName().toString();
            if (wordsOf(name).noneMatch(TypeNames::mayBeNoun)) {
              findings.add(javaSource.finding(type, name + " is not a noun"));
            }
          });
    }
    return List.copyOf(findings);
  }

  /** Returns simple names that are declared more than once in one module. */
  static List<GateFinding> declaredTwice(List<JavaSource> sources) {
    var places = new TreeMap<String, List<GateFinding>>();
    for (var javaSource : sources) {
      var module = javaSource.path().substring(0, javaSource.path().indexOf('/'));
      eachType(
          javaSource,
          type ->
              places
                  .computeIfAbsent(
                      module + " " + type.getSimpleName(), _ -> new ArrayList<GateFinding>())
                  .add(javaSource.finding(type, type.getSimpleName() + " is declared twice")));
    }
    return places.values().stream().filter(each -> each.size() > 1).flatMap(List::stream).toList();
  }

  /**
   * Returns words of the glossary that name another type than the glossary says.
   *
   * @param classes the class of each word, as module and simple or nested name; a word without a
   *     class may be no type's name
   */
  static List<GateFinding> notOfTheGlossary(
      List<JavaSource> sources, Map<String, Set<String>> classes) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      eachType(
          javaSource,
          type -> {
            var name = type.getSimpleName().toString();
            var allowed = classes.get(name);
            if (allowed != null && !allowed.contains(javaSource.path())) {
              findings.add(
                  javaSource.finding(
                      type, name + " is a word of docs/vocabulary.md for something else"));
            }
          });
    }
    return List.copyOf(findings);
  }

  private static void eachType(JavaSource javaSource, Consumer<ClassTree> action) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        if (!type.getSimpleName().isEmpty()) {
          action.accept(type);
        }
        return super.visitClass(type, null);
      }
    }.scan(javaSource.unit(), null);
  }

  private static boolean mayBeNoun(String word) {
    return NOUNS.contains(word)
        || !(NO_NOUNS.contains(word)
            || word.endsWith("ed")
            || word.endsWith("ing")
            || word.endsWith("ly"));
  }

  private static Stream<String> wordsOf(String name) {
    return WORD.matcher(name).results().map(each -> each.group().toLowerCase(Locale.ROOT));
  }

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }
}
