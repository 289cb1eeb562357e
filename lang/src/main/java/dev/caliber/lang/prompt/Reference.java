package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.Locale;

/** A placeholder for a value in a text: {@code ${…}}. */
public sealed interface Reference {
  /** Returns its span, from the dollar sign to the closing brace. */
  Span span();

  /** Returns its text as written. */
  default String text() {
    return "${" + path() + "}";
  }

  /** Returns the text between the braces. */
  String path();

  /** A value of the pack: {@code ${meta.project}}. */
  record SettingReference(ReferenceRoot root, List<String> keys, Span span) implements Reference {
    public SettingReference {
      keys = List.copyOf(keys);
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("expected at least one key after " + root.word());
      }
    }

    @Override
    public String path() {
      return root.word() + "." + String.join(".", keys);
    }
  }

  /** A variable of the environment: {@code ${ENV:DATABASE_URL}}. */
  record EnvironmentReference(String name, Span span) implements Reference {
    @Override
    public String path() {
      return ReferenceScanner.ENVIRONMENT + ":" + name;
    }
  }

  /** A value from the caller of a prompt: {@code ${INPUT:question}}. */
  record InputReference(String name, Span span) implements Reference {
    @Override
    public String path() {
      return ReferenceScanner.INPUT + ":" + name;
    }
  }

  /** Tables of a pack that references can name. */
  enum ReferenceRoot {
    META,
    AGENTS,
    TOOLS;

    /** Returns the keyword as written. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
