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
final class JtokkitCounters implements TokenCounters {
  private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();
  private final Map<String, EncodingType> prefixes = new TreeMap<>();

  JtokkitCounters(ModelsConfig.Tokens tokens) {
    put(tokens.r50kBase(), EncodingType.R50K_BASE);
    put(tokens.p50kBase(), EncodingType.P50K_BASE);
    put(tokens.cl100kBase(), EncodingType.CL100K_BASE);
    put(tokens.o200kBase(), EncodingType.O200K_BASE);
  }

  private void put(List<String> beginnings, EncodingType type) {
    beginnings.forEach(beginning -> prefixes.put(beginning, type));
  }

  /** The longest beginning decides. */
  @Override
  public Optional<TokenCounter> ofModel(String model) {
    return prefixes.keySet().stream()
        .filter(model::startsWith)
        .max((one, other) -> Integer.compare(one.length(), other.length()))
        .flatMap(prefix -> Optional.ofNullable(prefixes.get(prefix)))
        .map(type -> new Counter(registry.getEncoding(type)));
  }

  @Override
  public Optional<TokenCounter> named(String name) {
    return EncodingType.fromName(name).map(type -> new Counter(registry.getEncoding(type)));
  }

  /** Text that looks like a special token is counted as the text it is. */
  private record Counter(Encoding encoding) implements TokenCounter {
    @Override
    public String name() {
      return encoding.getName();
    }

    /**
     * Every pattern by which these tokenizers cut text ends a piece at a line break between two
     * characters that are no blanks, unless a slash follows, which some join to what is before it.
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
