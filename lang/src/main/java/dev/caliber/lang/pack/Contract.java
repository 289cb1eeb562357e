package dev.caliber.lang.pack;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What the results of a tool have to be: a JSON Schema of the draft 2020-12 that stands alone.
 * Nothing is ever fetched.
 */
public final class Contract {
  private static final SpecificationVersion DRAFT = SpecificationVersion.DRAFT_2020_12;
  private static final Schema META =
      SchemaRegistry.withDefaultDialect(DRAFT).getSchema(SchemaLocation.of(DRAFT.getDialectId()));
  private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef");

  private final Schema schema;

  private Contract(Schema schema) {
    this.schema = schema;
  }

  /** The contract that a schema is, for one without faults. */
  public static Contract of(JsonNode schema) {
    return new Contract(SchemaRegistry.withDefaultDialect(DRAFT).getSchema(schema));
  }

  /** What a result does not keep, in words; empty for a good one. */
  public List<String> violations(JsonNode result) {
    return schema.validate(result).stream().map(Error::toString).distinct().toList();
  }

  /** Something wrong with a schema, and the JSON pointer to it. */
  record Fault(String pointer, String message) {}

  /** What keeps a schema from being a contract. */
  static List<Fault> faults(JsonNode schema) {
    var faults = new ArrayList<Fault>();
    dialect(schema).ifPresent(faults::add);
    faults.addAll(meta(schema));
    remote("", schema, faults);
    if (faults.isEmpty()) {
      unusable(schema).ifPresent(faults::add);
    }
    return faults;
  }

  /** The first fault of each place: the others say the same in other words. */
  private static Collection<Fault> meta(JsonNode schema) {
    var faults = new LinkedHashMap<String, Fault>();
    for (var error : META.validate(schema)) {
      String pointer = error.getInstanceLocation().toString();
      faults.putIfAbsent(pointer, new Fault(pointer, error.getMessage()));
    }
    return faults.values();
  }

  private static Optional<Fault> dialect(JsonNode schema) {
    return Optional.ofNullable(schema.get("$schema"))
        .filter(dialect -> !DRAFT.getDialectId().equals(dialect.asString("")))
        .map(_ -> new Fault("/$schema", "the schema is of another draft"));
  }

  /* The depth is bounded by the reader of JSON. */
  private static void remote(String pointer, JsonNode node, List<Fault> faults) {
    node.properties()
        .forEach(
            property -> {
              String inner = pointer + "/" + property.getKey();
              if (REFERENCES.contains(property.getKey())
                  && property.getValue().isString()
                  && !property.getValue().asString().startsWith("#")) {
                faults.add(new Fault(inner, "the reference leaves the schema"));
              }
              remote(inner, property.getValue(), faults);
            });
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      remote(pointer + "/" + i, node.get(i), faults);
    }
  }

  private static String reason(SchemaException e) {
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return line.replaceFirst("^[\\w.$]+(Exception|Error): ", "");
  }

  /** What only shows when the schema is put to use, such as a pattern that is none. */
  private static Optional<Fault> unusable(JsonNode schema) {
    try {
      of(schema).schema.initializeValidators();
      return Optional.empty();
    } catch (SchemaException e) {
      return Optional.of(new Fault("", reason(e)));
    }
  }
}
