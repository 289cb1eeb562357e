package dev.caliber.memory.context;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.SubjectScope;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What went into a window, each thing by a name: what was asked, and every field of the recipe. */
final class ToldInputs {
  private static final String NONE = "none";
  private static final String SECTIONS = "sections";

  /** Told by another name, or found rather than given. */
  private static final Set<String> OTHERWISE = Set.of("at", "beyond", "bound");

  private final Map<String, String> told = new LinkedHashMap<>();

  private ToldInputs() {}

  /** Those that differ, with both values. */
  static Map<String, List<String>> differing(Window one, Window other) {
    Map<String, String> before = of(one);
    Map<String, String> after = of(other);
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

  private static Map<String, String> of(Window window) {
    ToldInputs inputs = new ToldInputs();
    inputs.tell(window);
    inputs.tell("", Json.mapper().valueToTree(window.recipe()));
    return inputs.told;
  }

  private void tell(Window window) {
    Window.Inputs inputs = window.inputs();
    told.put("trajectory", window.trajectory().toString());
    told.put("query", inputs.query().orElse(NONE));
    told.put("model", inputs.model().orElse(NONE));
    told.put("as_of", window.recipe().at().toString());
    told.put("sequence", Long.toString(inputs.sequence()));
    told.put("configuration", inputs.configuration().orElse(NONE));
    told.put("generations", String.join(", ", inputs.generations()));
    told.put("degraded", inputs.degraded().orElse(NONE));
    told.put("subjects", inputs.subjects().map(SubjectScope::toString).orElse(NONE));
  }

  /** Fields of fields have the names of both. */
  private void tell(String prefix, JsonNode fields) {
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (OTHERWISE.contains(field.getKey())) {
        continue;
      }
      if (name.equals(SECTIONS)) {
        value.forEach(section -> tell("section " + section.path("name").asString() + " ", section));
      } else if (value.isObject()) {
        tell(name + " ", value);
      } else {
        told.put(name, value.isString() ? value.asString() : value.toString());
      }
    }
  }
}
