package dev.caliber.kernel.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/** Starter version of each module: the resource {@code starter.toml} beside its settings record. */
public final class StarterSettings {
  private static final String FILE = "starter.toml";

  private StarterSettings() {}

  /** Returns the starter text of a module, with a sentence for every key. */
  public static String text(Class<?> type) {
    try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the starter settings of a module. */
  public static <T extends Record> T read(String table, Class<T> type) {
    Settings settings = Settings.ofStarter(text(type));
    T config = settings.read(table, type);
    settings.verify();
    return config;
  }

  /**
   * Returns settings of a module with overrides, each a line of TOML such as {@code
   * store.reads.page-limit = 10}.
   */
  @SuppressWarnings("unchecked") // a record has no subclass
  public static <T extends Record> T override(String table, T config, String... overrides) {
    Class<T> type = (Class<T>) config.getClass();
    Settings settings =
        Settings.ofStarter(text(type)).withFile("the overrides", String.join("\n", overrides));
    T changed = settings.read(table, type);
    settings.verify();
    Set<String> keys = settings.overrides().getFirst().values().keySet();
    return SettingsBinder.merge(table, config, changed, keys);
  }
}
