package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.Set;
import java.util.stream.Stream;

/** All texts of {@code cal.toml}. */
final class ManifestTexts {
  /** Sections that may use variables of the environment. */
  private static final Set<String> PRIVATE = Set.of(Manifest.ADAPTERS, Manifest.PROVIDERS);

  private ManifestTexts() {}

  /**
   * A text and its position.
   *
   * @param section the first key on the way to it
   * @param key the last one
   */
  record ManifestText(String section, String key, TextNode text) {
    /** Returns whether it may come from the environment. */
    boolean isPrivate() {
      return PRIVATE.contains(section);
    }
  }

  static Stream<ManifestText> texts(ParsedPack parsedPack) {
    return parsedPack.root().members().members().stream()
        .flatMap(member -> texts(member.key().value(), "", member.value()));
  }

  /* The depth is bounded by the TOML reader. */
  private static Stream<ManifestText> texts(String section, String key, JsonValueNode value) {
    return switch (value) {
      case TextNode textNode -> Stream.of(new ManifestText(section, key, textNode));
      case JsonValueNode.Items(var items, _) ->
          items.stream().flatMap(item -> texts(section, key, item));
      case JsonValueNode.Members(var members, _) ->
          members.stream().flatMap(member -> texts(section, member.key().value(), member.value()));
      case NumberNode _, BooleanNode _, JsonValueNode.NullValue _ -> Stream.empty();
    };
  }
}
