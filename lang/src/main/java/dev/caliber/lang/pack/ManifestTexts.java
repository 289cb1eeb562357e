package dev.caliber.lang.pack;

import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
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
  record ManifestText(String section, String key, Text text) {
    /** Returns whether it may come from the environment. */
    boolean isPrivate() {
      return PRIVATE.contains(section);
    }
  }

  static Stream<ManifestText> texts(PackDocument packDocument) {
    return packDocument.root().members().members().stream()
        .flatMap(member -> texts(member.key().value(), "", member.value()));
  }

  /* The depth is bounded by the TOML reader. */
  private static Stream<ManifestText> texts(String section, String key, JsonValueNode value) {
    return switch (value) {
      case Text text -> Stream.of(new ManifestText(section, key, text));
      case JsonValueNode.Items(var items, _) ->
          items.stream().flatMap(item -> texts(section, key, item));
      case JsonValueNode.Members(var members, _) ->
          members.stream().flatMap(member -> texts(section, member.key().value(), member.value()));
      case NumberNode _, Flag _, JsonValueNode.NullValue _ -> Stream.empty();
    };
  }
}
