package dev.caliber.lang.pack.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackAnswers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Property tests of the composer. {@code ./verify --fuzz-runs N} tries more. */
class PackProperties {
  private static final List<PackSource> GOLDEN =
      PackCase.all().stream().map(PackCase::source).filter(it -> it.has("cal.toml")).toList();
  private static final List<String> PIECES =
      List.of(
          "[",
          "]",
          "[[",
          "{",
          "}",
          "=",
          "\"",
          "'",
          "\"\"\"",
          "'''",
          ".",
          ",",
          "\n",
          "\r\n",
          "#",
          "${",
          "}",
          "${ENV:X}",
          "${INPUT:x}",
          "${meta.project}",
          "```",
          "```tool\n",
          "### User\n",
          "0",
          "-1",
          "1e9",
          "inf",
          "true",
          "1979-05-27",
          "tools",
          "agents",
          "memories",
          "max(",
          "and",
          "\\u0000",
          "é",
          "🐎",
          "\0");

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("PACK-26: packs with parts cut out, doubled, moved and replaced get a result")
  void mutations(@ForAll long seed) {
    var random = new Random(seed);
    var source = GOLDEN.get(random.nextInt(GOLDEN.size()));
    var paths = List.copyOf(source.paths());
    for (int i = random.nextInt(4); i >= 0; i--) {
      String path = paths.get(random.nextInt(paths.size()));
      var text = new StringBuilder(source.text(path).orElse(""));
      mutate(text, random);
      source = Packs.with(source, path, text.toString());
    }
    PackAnswers.check(source);
  }

  private static void mutate(StringBuilder text, Random random) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(12));
    String piece =
        switch (random.nextInt(4)) {
          case 0 -> "";
          case 1 -> text.substring(from, to).repeat(2);
          case 2 -> PIECES.get(random.nextInt(PIECES.size()));
          default -> new StringBuilder(text.substring(from, to)).reverse().toString();
        };
    text.replace(from, to, piece);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("PACK-26: random bytes as cal.toml get a result")
  void randomBytes(@ForAll byte[] bytes) {
    var files = Packs.files(Packs.min());
    files.put("cal.toml", bytes);
    PackAnswers.check(PackSource.of(files));
    files.put(
        "cal.toml", new String(bytes, StandardCharsets.UTF_16).getBytes(StandardCharsets.UTF_8));
    PackAnswers.check(PackSource.of(files));
  }

  @Property
  @Label("PACK-03: a tree written as TOML is read back as the same tree")
  void treesSurviveToml(@ForAll("trees") JsonValueNode.Members tree) {
    var diagnostics = new Diagnostics("t");
    assertThat(TomlReader.read(toml(tree), diagnostics)).isEqualTo(tree);
    assertThat(diagnostics.sorted()).isEmpty();
  }

  @Property(tries = 100)
  @Label("PACK-06: a profile composes exactly when it equals a row of the matrix")
  void profilesEqualRows(
      @ForAll("knobs") ProfileSettings row, @ForAll("knobs") ProfileSettings profile) {
    String manifest = Packs.min().text("cal.toml").orElseThrow();
    String other =
        manifest
            .replaceFirst("\\{ name = \"local_dev\".*", "{ name = \"row\", " + inline(row) + " },")
            .replaceFirst("\\[adapters", "[profiles.tried]\n" + lines(profile) + "\n[adapters");
    var result = Packs.COMPOSER.compose(Packs.with(Packs.min(), "cal.toml", other));
    var small =
        new ProfileSettings(
            ProfileSettings.MemoryLifetime.PERSISTENT,
            ProfileSettings.MemoryIndexKind.EMBEDDING,
            ProfileSettings.EmbeddingSwitch.ON,
            "xml");
    boolean allowed = profile.equals(row) || profile.equals(small);
    assertThat(result instanceof ComposeResult.ComposeSuccess)
        .isEqualTo(allowed && isSensible(row));
  }

  private static boolean isSensible(ProfileSettings profileSettings) {
    boolean needed =
        profileSettings.index() == ProfileSettings.MemoryIndexKind.EMBEDDING
            || profileSettings.index() == ProfileSettings.MemoryIndexKind.HYBRID;
    return !needed || profileSettings.embeddings() == ProfileSettings.EmbeddingSwitch.ON;
  }

  private static String inline(ProfileSettings profileSettings) {
    return lines(profileSettings).replace("\n", ", ").replaceAll(", $", "");
  }

  private static String lines(ProfileSettings profileSettings) {
    return "retention = \"%s\"\nindex = \"%s\"\nembeddings = \"%s\"\nformat = \"%s\"\n"
        .formatted(
            Keywords.word(profileSettings.retention()),
            Keywords.word(profileSettings.index()),
            Keywords.word(profileSettings.embeddings()),
            profileSettings.format());
  }

  @Provide
  Arbitrary<ProfileSettings> knobs() {
    return Combinators.combine(
            Arbitraries.of(ProfileSettings.MemoryLifetime.class),
            Arbitraries.of(ProfileSettings.MemoryIndexKind.class),
            Arbitraries.of(ProfileSettings.EmbeddingSwitch.class),
            Arbitraries.of("xml", "json"))
        .as(ProfileSettings::new);
  }

  @Provide
  Arbitrary<JsonValueNode.Members> trees() {
    return members(3);
  }

  private static Arbitrary<JsonValueNode.Members> members(int depth) {
    return Combinators.combine(Arbitraries.strings().all().ofMaxLength(6), values(depth))
        .as((key, value) -> new JsonValueNode.Member(text(key), value, NodeOrigin.NONE))
        .list()
        .uniqueElements(JsonValueNode.Member::key)
        .ofMaxSize(4)
        .map(members -> new JsonValueNode.Members(members, NodeOrigin.NONE));
  }

  private static Arbitrary<JsonValueNode> values(int depth) {
    List<Arbitrary<? extends JsonValueNode>> kinds = new ArrayList<>();
    kinds.add(Arbitraries.strings().all().ofMaxLength(20).map(PackProperties::text));
    kinds.add(Arbitraries.longs().map(NumberNode::of));
    kinds.add(Arbitraries.of(true, false).map(BooleanNode::of));
    if (depth > 0) {
      kinds.add(members(depth - 1));
      kinds.add(
          values(depth - 1)
              .list()
              .ofMaxSize(3)
              .map(items -> new JsonValueNode.Items(items, NodeOrigin.NONE)));
    }
    return Arbitraries.oneOf(kinds).map(it -> it);
  }

  private static TextNode text(String value) {
    return TextNode.of(new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
  }

  private static String toml(JsonValueNode.Members root) {
    return root.members().stream()
        .map(member -> quote(member.key()) + " = " + inline(member.value()) + "\n")
        .collect(Collectors.joining());
  }

  private static String inline(JsonValueNode value) {
    return switch (value) {
      case TextNode textNode -> quote(textNode);
      case NumberNode(var number, _) -> number.toPlainString();
      case BooleanNode(var flag, _) -> Boolean.toString(flag);
      case JsonValueNode.Items(var items, _) ->
          items.stream().map(PackProperties::inline).collect(Collectors.joining(", ", "[", "]"));
      case JsonValueNode.Members(var members, _) ->
          members.stream()
              .map(member -> quote(member.key()) + " = " + inline(member.value()))
              .collect(Collectors.joining(", ", "{ ", " }"));
      case JsonValueNode.NullValue _ -> throw new IllegalArgumentException("TOML has no null");
    };
  }

  private static String quote(TextNode textNode) {
    return textNode
        .value()
        .codePoints()
        .mapToObj(c -> "\\U%08X".formatted(c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
