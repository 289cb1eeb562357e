package dev.caliber.models;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Tokenizers of OpenAI's models. Each is loaded at its first use. */
final class JtokkitTokenCounters implements TokenCounters {
  private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();
  private final Map<String, EncodingType> prefixes = new TreeMap<>();

  JtokkitTokenCounters(ModelsConfig.TokenizerSettings tokenizerSettings) {
    register(tokenizerSettings.r50kBase(), EncodingType.R50K_BASE);
    register(tokenizerSettings.p50kBase(), EncodingType.P50K_BASE);
    register(tokenizerSettings.cl100kBase(), EncodingType.CL100K_BASE);
    register(tokenizerSettings.o200kBase(), EncodingType.O200K_BASE);
  }

  private void register(List<String> beginnings, EncodingType type) {
    beginnings.forEach(beginning -> prefixes.put(beginning, type));
  }

  /** Returns the tokenizer of the longest matching name prefix. */
  @Override
  public Optional<TokenCounter> forModel(String model) {
    return prefixes.keySet().stream()
        .filter(model::startsWith)
        .max((one, other) -> Integer.compare(one.length(), other.length()))
        .flatMap(prefix -> Optional.ofNullable(prefixes.get(prefix)))
        .map(type -> new JtokkitTokenCounter(registry.getEncoding(type)));
  }

  @Override
  public Optional<TokenCounter> byName(String name) {
    return EncodingType.fromName(name)
        .map(type -> new JtokkitTokenCounter(registry.getEncoding(type)));
  }

  /** Counter that counts text which looks like a special token as ordinary text. */
  private record JtokkitTokenCounter(Encoding encoding) implements TokenCounter {
    @Override
    public String name() {
      return encoding.getName();
    }

    /**
     * Splits a text where token counts add up: every pattern of these tokenizers ends a piece at a
     * line break between two characters that are no blanks, unless a slash follows, which some
     * patterns join to the text before it.
     */
    @Override
    public List<String> parts(String text) {
      List<String> parts = new ArrayList<>();
      int start = 0;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
        if (isBorder(text, end)) {
          parts.add(text.substring(start, end + 1));
          start = end + 1;
        }
      }
      parts.add(text.substring(start));
      return parts;
    }

    private static boolean isBorder(String text, int lineBreak) {
      return lineBreak > 0
          && lineBreak + 1 < text.length()
          && isVisible(text.charAt(lineBreak - 1))
          && isVisible(text.charAt(lineBreak + 1))
          && text.charAt(lineBreak + 1) != '/';
    }

    private static boolean isVisible(char c) {
      return c > ' ' && c <= '~';
    }

    @Override
    public int count(String text) {
      return encoding.countTokensOrdinary(text);
    }
  }
}
