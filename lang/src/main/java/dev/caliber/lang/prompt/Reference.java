package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.Locale;

/** A place in a text where a value goes: {@code ${…}}. */
public sealed interface Reference {
  /** Where it stands, from the dollar sign to the closing brace. */
  Span span();

  /** As it is written. */
  default String text() {
    return "${" + path() + "}";
  }

  /** What stands between the braces. */
  String path();

  /** A value of the pack: {@code ${meta.project}}. */
  record Setting(Root root, List<String> keys, Span span) implements Reference {
    public Setting {
      keys = List.copyOf(keys);
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("wanted at least one key after " + root.word());
      }
    }

    @Override
    public String path() {
      return root.word() + "." + String.join(".", keys);
    }
  }

  /** A variable of the environment: {@code ${ENV:DATABASE_URL}}. */
  record Environment(String name, Span span) implements Reference {
    @Override
    public String path() {
      return References.ENVIRONMENT + ":" + name;
    }
  }

  /** What the caller of a prompt gives it: {@code ${INPUT:question}}. */
  record Input(String name, Span span) implements Reference {
    @Override
    public String path() {
      return References.INPUT + ":" + name;
    }
  }

  /** The tables of a pack that can be referred to. */
  enum Root {
    META,
    AGENTS,
    TOOLS;

    /** As it is written. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
