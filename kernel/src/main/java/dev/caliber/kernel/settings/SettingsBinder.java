package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Binder of settings to records: the name of a component is its key in kebab-case, its type the
 * type of the setting, a nested record a nested table. It uses reflection, and only while a process
 * reads its settings at start; nothing that serves a request does.
 */
final class SettingsBinder {
  private static final Pattern KEBAB_CASE = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final Pattern WORD_START = Pattern.compile("([a-z0-9])([A-Z])");

  private final Settings settings;

  SettingsBinder(Settings settings) {
    this.settings = settings;
  }

  <T> T bind(String table, Class<T> type) {
    T bound = newRecord(type, component -> component(table, component));
    if (bound instanceof CheckedSettings checked) {
      checked.check(settings);
    }
    return bound;
  }

  /** Returns a record with those components of another one that the keys name. */
  @SuppressWarnings("unchecked") // a record has no subclass
  static <T> T merge(String table, T base, T changed, Set<String> keys) {
    return newRecord(
        (Class<T>) base.getClass(),
        component -> {
          String path = path(table, component);
          Object old = valueOf(component, base);
          Object other = valueOf(component, changed);
          if (isNested(component.getType())) {
            return merge(path, old, other, keys);
          }
          if (old instanceof Map<?, ?> map && !(old instanceof SortedMap)) {
            return mergeMap(path, map, (Map<?, ?>) other, keys);
          }
          return keys.stream().anyMatch(key -> (key + ".").startsWith(path + ".")) ? other : old;
        });
  }

  private static Map<?, ?> mergeMap(
      String table, Map<?, ?> base, Map<?, ?> changed, Set<String> keys) {
    var merged = new HashMap<Object, Object>(base);
    changed.forEach(
        (constant, value) -> {
          if (keys.contains(join(table, SettingType.nameOf(constant)))) {
            merged.put(constant, value);
          }
        });
    return merged;
  }

  private static Object valueOf(RecordComponent component, Object owner) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(owner);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(component + " cannot be read", e);
    }
  }

  private static <T> T newRecord(Class<T> type, Function<RecordComponent, Object> value) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] parameters =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true); // package-private records are read, too
      return constructor.newInstance(Arrays.stream(components).map(value).toArray());
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          type.getName() + " refuses values within their bounds", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " is no settings record", e);
    }
  }

  private static String path(String table, RecordComponent component) {
    SettingKey key = component.getAnnotation(SettingKey.class);
    return join(table, key == null ? kebab(component.getName()) : key.value());
  }

  private static boolean isNested(Class<?> type) {
    return type.isRecord() && !SettingType.isValue(type);
  }

  private Object component(String table, RecordComponent component) {
    if (component.isAnnotationPresent(SettingTable.class)) {
      return table;
    }
    String path = path(table, component);
    Class<?> type = component.getType();
    @Nullable SettingRange bounds = component.getAnnotation(SettingRange.class);
    if (Map.class.isAssignableFrom(type)) {
      Type[] types = typeArguments(component);
      SettingType values = SettingType.of((Class<?>) types[1], bounds);
      return types[0] instanceof Class<?> keys && keys.isEnum()
          ? mapOf(path, keys, values)
          : table(path, values);
    }
    if (type == Optional.class) {
      Class<?> value = (Class<?>) typeArguments(component)[0];
      return value(path, SettingType.of(value, bounds).optional(value.isEnum()), value);
    }
    if (type.isSealed()) {
      return variant(table, path, type);
    }
    return isNested(type) ? bind(path, type) : value(path, SettingType.of(type, bounds), type);
  }

  private static Type[] typeArguments(RecordComponent component) {
    return ((ParameterizedType) component.getGenericType()).getActualTypeArguments();
  }

  private static String join(String table, String key) {
    return table.isEmpty() || key.isEmpty() ? table + key : table + "." + key;
  }

  private static String kebab(String name) {
    return WORD_START.matcher(name).replaceAll("$1-$2").toLowerCase(java.util.Locale.ROOT);
  }

  /** Returns the record that a key selects, after reading the settings of every one. */
  private Object variant(String table, String path, Class<?> type) {
    var variants = new LinkedHashMap<String, Class<?>>();
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      variants.put(variantOf(permitted).value(), permitted);
    }
    String names = String.join(", ", variants.keySet());
    var selection =
        new SettingType(
            "one of",
            names,
            "",
            "one of " + names,
            name -> name instanceof String text ? variants.get(text) : null,
            text -> text);
    Object selected = value(path, selection, type);
    var bound = new HashMap<Object, Object>();
    for (Class<?> permitted : variants.values()) {
      bound.put(permitted, bind(join(table, variantOf(permitted).table()), permitted));
    }
    return Objects.requireNonNull(bound.get(selected));
  }

  private static SettingVariant variantOf(Class<?> type) {
    SettingVariant variant = type.getAnnotation(SettingVariant.class);
    if (variant == null) {
      throw new IllegalArgumentException(type.getName() + " needs @SettingVariant");
    }
    return variant;
  }

  /** Returns a map with a key for every constant of an enum. */
  private Map<?, ?> mapOf(String table, Class<?> keys, SettingType values) {
    return Arrays.stream(keys.getEnumConstants())
        .collect(
            Collectors.toMap(
                constant -> constant,
                constant ->
                    value(join(table, SettingType.nameOf(constant)), values, Object.class)));
  }

  /** Returns a table whose keys the author of a file chooses. */
  private Map<String, Object> table(String path, SettingType values) {
    settings.declare(SettingDeclaration.ofTable(path, values));
    for (SettingsSource source : settings.overrides()) {
      if (source.values().containsKey(path)) {
        settings.report(
            source,
            path,
            where -> KernelException.invalidSetting(where, path, "a table", "a value"));
      }
    }
    var entries = new TreeMap<String, Object>();
    for (String entry : settings.keysIn(path)) {
      String key = join(path, entry);
      if (KEBAB_CASE.matcher(entry).matches()) {
        find(key, values, Object.class).ifPresent(value -> entries.put(entry, value));
      } else {
        SettingsSource source = settings.sourceOf(key);
        settings.report(
            source, key, where -> KernelException.invalidSetting(where, key, "kebab-case", key));
      }
    }
    return Collections.unmodifiableSortedMap(entries);
  }

  private Object value(String key, SettingType type, Class<?> declared) {
    settings.declare(SettingDeclaration.of(key, type));
    return find(key, type, declared)
        .orElseThrow(
            () -> KernelException.missingRequired(settings.layers().getFirst().name(), key));
  }

  /** Returns the value of the highest layer with a valid one; reports the others. */
  private Optional<Object> find(String key, SettingType type, Class<?> declared) {
    for (SettingsSource source : settings.overrides()) {
      Optional<Object> found = find(source, key, type, declared);
      if (found.isPresent()) {
        return found;
      }
    }
    return find(settings.starter(), key, type, declared);
  }

  private Optional<Object> find(
      SettingsSource source, String key, SettingType type, Class<?> declared) {
    Object raw = source.find(key).map(SettingsSource.SettingsValue::value).orElse(null);
    if (raw == null) {
      if (source.tables().containsKey(key)) {
        refuse(source, key, declared, expected(type, "a table"));
      }
      return Optional.empty();
    }
    boolean variable = source.kind() == SettingsSource.Kind.ENVIRONMENT;
    String reason;
    try {
      Object value = variable ? type.textReader().apply(raw.toString()) : raw;
      Object read = value == null ? null : type.reader().apply(value);
      if (read != null) {
        return Optional.of(read);
      }
      reason = expected(type, raw instanceof List ? "an array" : raw.toString());
    } catch (KernelException e) {
      reason = e.message();
    }
    // a variable may hold a secret by mistake, so its value is not repeated
    refuse(source, key, declared, variable ? "expected " + type.wanted() : reason);
    return Optional.empty();
  }

  private static String expected(SettingType type, String found) {
    return "expected " + type.wanted() + ", found " + KernelException.quote(found);
  }

  private void refuse(SettingsSource source, String key, Class<?> declared, String reason) {
    boolean provider = declared.isAnnotationPresent(ProviderNames.class);
    settings.report(
        source,
        key,
        where ->
            provider
                ? KernelException.providerNotSupported(where, key + ": " + reason)
                : KernelException.invalidSetting(where, key, reason));
  }
}
