package dev.caliber.memory.context.explain;

import dev.caliber.kernel.Json;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.ReadableSubjects;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Inputs of a window by name: the request, and every field of the composition settings. */
final class WindowInputDiff {
  private static final String NONE = "none";
  private static final String SECTIONS = "sections";

  /** Fields shown under another name, or computed rather than given. */
  private static final Set<String> OTHERWISE = Set.of("at", "beyond", "bound");

  private final Map<String, String> values = new LinkedHashMap<>();

  private WindowInputDiff() {}

  /** Returns the inputs that differ, with both values. */
  static Map<String, List<String>> differences(Window one, Window other) {
    Map<String, String> before = valuesOf(one);
    Map<String, String> after = valuesOf(other);
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (String name : names) {
      String here = before.getOrDefault(name, NONE);
      String there = after.getOrDefault(name, NONE);
      if (!here.equals(there)) {
        differing.put(name, List.of(here, there));
      }
    }
    return differing;
  }

  private static Map<String, String> valuesOf(Window window) {
    WindowInputDiff inputs = new WindowInputDiff();
    inputs.addInputs(window);
    inputs.addFields("", Json.mapper().valueToTree(window.recipe()));
    return inputs.values;
  }

  private void addInputs(Window window) {
    Window.WindowInputs windowInputs = window.inputs();
    values.put("trajectory", window.trajectory().toString());
    values.put("query", windowInputs.query().orElse(NONE));
    values.put("model", windowInputs.model().orElse(NONE));
    values.put("as_of", window.recipe().at().toString());
    values.put("sequence", Long.toString(windowInputs.sequence()));
    values.put("configuration", windowInputs.configuration().orElse(NONE));
    values.put("generations", String.join(", ", windowInputs.generations()));
    values.put("degraded", windowInputs.degraded().orElse(NONE));
    values.put("subjects", windowInputs.subjects().map(ReadableSubjects::toString).orElse(NONE));
  }

  /** Prefixes nested fields with the name of their parent. */
  private void addFields(String prefix, JsonNode fields) {
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (OTHERWISE.contains(field.getKey())) {
        continue;
      }
      if (name.equals(SECTIONS)) {
        value.forEach(
            section -> addFields("section " + section.path("name").asString() + " ", section));
      } else if (value.isObject()) {
        addFields(name + " ", value);
      } else {
        values.put(name, value.isString() ? value.asString() : value.toString());
      }
    }
  }
}
