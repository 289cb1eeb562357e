package dev.caliber.lang.pack;

import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import java.util.Set;
import java.util.stream.Stream;

/** All texts of {@code cal.toml}. */
final class ManifestTexts {
  /** The sections that are given variables of the environment. */
  private static final Set<String> PRIVATE = Set.of(Manifest.ADAPTERS, Manifest.PROVIDERS);

  private ManifestTexts() {}

  /**
   * A text and where it stands.
   *
   * @param section the first key on the way to it
   * @param key the last one
   */
  record Found(String section, String key, Text text) {
    /** Whether it may come from the environment. */
    boolean isPrivate() {
      return PRIVATE.contains(section);
    }
  }

  static Stream<Found> of(Document document) {
    return document.root().members().members().stream()
        .flatMap(member -> of(member.key().value(), "", member.value()));
  }

  /* The depth is bounded by the reader of TOML. */
  private static Stream<Found> of(String section, String key, JsonValueNode value) {
    return switch (value) {
      case Text text -> Stream.of(new Found(section, key, text));
      case JsonValueNode.Items(var items, _) ->
          items.stream().flatMap(item -> of(section, key, item));
      case JsonValueNode.Members(var members, _) ->
          members.stream().flatMap(member -> of(section, member.key().value(), member.value()));
      case NumberNode _, Flag _, JsonValueNode.Nothing _ -> Stream.empty();
    };
  }
}
