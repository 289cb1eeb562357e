package dev.caliber.gates;

import com.sun.source.tree.ClassTree;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * Gate on texts (STYLE rule 21): comments, messages and documents name the actor, and a comment
 * begins with its subject.
 */
final class PlainTexts {
  /** Words that hide the actor. */
  private static final Pattern HIDDEN_ACTOR =
      Pattern.compile("\\b(whoever|whomever|somebody|nobody)\\b", Pattern.CASE_INSENSITIVE);

  /** Text blocks, strings, characters, line comments and block comments, in this order. */
  private static final Pattern TEXT =
      Pattern.compile(
          "\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
              + "|//[^\n]*|/\\*[\\s\\S]*?\\*/");

  private static final Pattern SAME = Pattern.compile("^/\\*\\*[\\s*]*The same\\b");

  /** First words of a sentence without a subject. */
  private static final Pattern NO_SUBJECT =
      Pattern.compile(
          "^(What|How|Whether|Where|Which|Who|Whose|When|Why|As|Of|In|By|With|For|To|Also|And|It"
              + "|They|The same)\\b");

  private PlainTexts() {}

  /** Returns comments and strings of Java files with a word that hides the actor. */
  static List<GateFinding> inSources(List<JavaSource> sources) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      TEXT.matcher(javaSource.text()).results().forEach(text -> check(javaSource, text, findings));
    }
    return List.copyOf(findings);
  }

  private static void check(JavaSource javaSource, MatchResult text, List<GateFinding> findings) {
    var place = javaSource.path() + ":" + line(javaSource.text(), text.start());
    var hidden = HIDDEN_ACTOR.matcher(text.group());
    if (hidden.find()) {
      findings.add(new GateFinding(place, hidden.group() + ": name the actor"));
    }
    if (SAME.matcher(text.group()).find()) {
      findings.add(new GateFinding(place, "begins with \"The same\": say what it is"));
    }
  }

  /** Returns lines of a text other than Java with a word that hides the actor. */
  static List<GateFinding> inText(String path, String text) {
    return HIDDEN_ACTOR
        .matcher(text)
        .results()
        .map(
            found ->
                new GateFinding(
                    path + ":" + line(text, found.start()), found.group() + ": name the actor"))
        .toList();
  }

  /** Returns public types without a comment, or whose comment does not begin with a subject. */
  static List<GateFinding> withoutSubject(List<JavaSource> sources) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      for (var declared : javaSource.unit().getTypeDecls()) {
        if (declared instanceof ClassTree type
            && type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
          var comment = javaSource.documentation(type).strip();
          if (comment.isEmpty()) {
            findings.add(javaSource.finding(type, type.getSimpleName() + " has no comment"));
          } else if (NO_SUBJECT.matcher(comment).find()) {
            findings.add(
                javaSource.finding(
                    type,
                    type.getSimpleName()
                        + ": the first sentence has no subject: "
                        + comment.lines().findFirst().orElse("")));
          }
        }
      }
    }
    return List.copyOf(findings);
  }

  private static int line(String text, int position) {
    return 1 + (int) text.substring(0, position).chars().filter(each -> each == '\n').count();
  }
}
