package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import dev.caliber.lang.prompt.PromptSection;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.lang.prompt.SectionKind;
import dev.caliber.lang.prompt.SectionPart;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Property tests: written prompts are read back; every other input gets a result. */
class PackPromptProperties {
  private static final List<String> GOLDEN =
      PromptCase.all().stream()
          .map(PromptCase::source)
          .filter(source -> source.length() < 5_000)
          .toList();
  private static final List<String> PIECES =
      List.of(
          "# System\n",
          "## PCP\n",
          "### User\n",
          "#### x\n",
          "```tool\n",
          "```json\n",
          "```xml\n",
          "```cal.context global\n",
          "```\n",
          "~~~\n",
          "${tools.a.b}\n",
          "${INPUT:x}",
          "${",
          "}",
          "{\"a\":",
          "\"",
          "[",
          "]",
          "<a b='",
          "</a>",
          "<![CDATA[",
          "<!--",
          "<!DOCTYPE a>",
          "&lt;",
          "> ",
          "- ",
          "    ",
          "\t",
          "\n",
          "\r",
          "\r\n",
          "text ",
          "🐎",
          "\ud800",
          "\0",
          "\\",
          "===\n",
          "[a]: b\n",
          "sk-",
          "password=",
          "://u:p@",
          "[tools.x]\n",
          "global ",
          "\uFEFF");

  /** Expected content of a section: a text, a context block, or a call. */
  record Wanted(SectionKind kind, List<String> parts) {
    String markdown() {
      String heading =
          switch (kind) {
            case SYSTEM -> "# System";
            case PCP -> "## PCP";
            default -> "### User";
          };
      return heading + "\n\n" + String.join("\n\n", parts) + "\n\n";
    }
  }

  @Property
  @Label("PACK-15: a prompt that follows the contract is read back as it was written")
  void whatIsWrittenIsReadBack(@ForAll("prompts") List<Wanted> wanted) {
    var diagnostics = new Diagnostics("f");
    String source = wanted.stream().map(Wanted::markdown).collect(Collectors.joining());
    var parsedPrompt = PromptReader.read(source, PromptRules.strict(PromptKind.AGENT), diagnostics);
    assertThat(diagnostics.sorted()).isEmpty();
    assertThat(parsedPrompt.sections()).extracting(PromptSection::kind).isEqualTo(kinds(wanted));
    assertThat(parsedPrompt.sections().stream().map(PackPromptProperties::written).toList())
        .isEqualTo(wanted.stream().map(Wanted::parts).toList());
    assertThat(parsedPrompt.references())
        .isEqualTo(
            ReferenceScanner.scan(source, new SourceSpanLocator(source), new Diagnostics("f")));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("PACK-33: random pieces of prompts get a result")
  void piecesOfPrompts(@ForAll("soups") List<String> pieces) {
    answers(String.join("", pieces));
    answers("# System\n## PCP\n### User\n```tool\n${tools.a.b}\n```\n" + String.join("", pieces));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("PACK-33: random bytes get a result")
  void randomBytes(@ForAll byte[] bytes) {
    answers(new String(bytes, StandardCharsets.UTF_8));
    answers(new String(bytes, StandardCharsets.UTF_16));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("PACK-33: prompts with parts cut out, doubled and replaced get a result")
  void mutations(@ForAll long seed) {
    var random = new Random(seed);
    var source = new StringBuilder(GOLDEN.get(random.nextInt(GOLDEN.size())));
    for (int i = random.nextInt(6); i >= 0; i--) {
      int from = random.nextInt(source.length() + 1);
      int to = Math.min(source.length(), from + random.nextInt(12));
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      source.replace(from, to, random.nextBoolean() ? piece : source.substring(from, to).repeat(2));
    }
    answers(source.toString());
  }

  private static void answers(String source) {
    PromptLaws.hold(source, PromptRules.strict(PromptKind.AGENT));
    PromptLaws.hold(source, new PromptRules(PromptKind.AGENT, false, false));
    PromptLaws.hold(source, PromptRules.strict(PromptKind.TOOL));
  }

  @Provide
  Arbitrary<List<String>> soups() {
    return Arbitraries.of(PIECES).list().ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<Wanted>> prompts() {
    var plain = text().list().ofMaxSize(1);
    var users = section().list().ofMinSize(1).ofMaxSize(4);
    return Combinators.combine(plain, plain, users, context())
        .as(
            (system, pcp, all, context) -> {
              var wanted = new ArrayList<Wanted>();
              wanted.add(new Wanted(SectionKind.SYSTEM, system));
              wanted.add(new Wanted(SectionKind.PCP, pcp));
              all.forEach(parts -> wanted.add(new Wanted(SectionKind.USER, parts)));
              wanted.add(new Wanted(SectionKind.USER, List.of(context)));
              return wanted;
            });
  }

  /** Generates a section; no text follows another, because the two would be one. */
  private static Arbitrary<List<String>> section() {
    return Combinators.combine(text(), call(), call(), text())
        .as(List::of)
        .flatMap(all -> Arbitraries.integers().between(0, 4).map(n -> all.subList(0, n)));
  }

  private static Arbitrary<String> text() {
    return Arbitraries.of("Help", "with", "É", "🐎", "a $5 bill", "${meta.project}", "${INPUT:x}")
        .list()
        .ofMinSize(1)
        .ofMaxSize(8)
        .map(words -> String.join(" ", words));
  }

  private static Arbitrary<String> context() {
    return reference().map(it -> "```cal.context global\n" + it + "\n```");
  }

  private static Arbitrary<String> call() {
    return Combinators.combine(
            Arbitraries.of("tools.a.b", "tools.prompts.search", "tools.x-1.y_2"), payload())
        .as((tool, payload) -> "```tool\n${" + tool + "}\n```" + payload);
  }

  private static Arbitrary<String> payload() {
    return Arbitraries.oneOf(
        Arbitraries.just(""),
        json(3).map(it -> "\n\n```json\n" + it + "\n```"),
        xml(3).map(it -> "\n\n```xml\n" + it + "\n```"));
  }

  private static Arbitrary<String> reference() {
    return Arbitraries.of("${INPUT:a}", "${meta.project}", "${agents.one.profile}", "${INPUT:b_2}");
  }

  private static Arbitrary<String> json(int depth) {
    var leaf = reference().map(it -> "\"" + it + "\"");
    if (depth == 0) {
      return leaf;
    }
    var some = json(depth - 1).list().ofMaxSize(3);
    return Arbitraries.oneOf(
        leaf,
        some.map(all -> "[" + String.join(",\n", all) + "]"),
        some.map(PackPromptProperties::object));
  }

  private static String object(List<String> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> "\"é" + i + "\": " + values.get(i))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static Arbitrary<String> xml(int depth) {
    if (depth == 0) {
      return reference().map(it -> "<leaf a='" + it + "'>" + it + "</leaf>");
    }
    return xml(depth - 1).list().ofMaxSize(3).map(all -> "<a>\n" + String.join("", all) + "</a>");
  }

  private static List<SectionKind> kinds(List<Wanted> wanted) {
    return wanted.stream().map(Wanted::kind).toList();
  }

  private static List<String> written(PromptSection promptSection) {
    return promptSection.parts().stream().map(PackPromptProperties::written).toList();
  }

  private static String written(SectionPart sectionPart) {
    return switch (sectionPart) {
      case SectionPart.MarkdownText(var template) -> template.text();
      case SectionPart.ContextQuery(var template, _, _) ->
          "```cal.context global\n" + template.text() + "\n```";
      case SectionPart.PromptToolCall call ->
          "```tool\n" + call.tool().text() + "\n```" + payload(call);
    };
  }

  private static String payload(SectionPart.PromptToolCall call) {
    var template = call.payload().template();
    return template.text().equals("{}") && template.span().equals(template.span().endPoint())
        ? ""
        : "\n\n```"
            + call.payload().format().name().toLowerCase(Locale.ROOT)
            + "\n"
            + template.text()
            + "\n```";
  }
}
