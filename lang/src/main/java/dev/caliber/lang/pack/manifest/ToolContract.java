package dev.caliber.lang.pack.manifest;

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
 * The contract of a tool's results: a self-contained JSON Schema of draft 2020-12. Nothing is ever
 * fetched.
 */
public final class ToolContract {
  private static final SpecificationVersion DRAFT = SpecificationVersion.DRAFT_2020_12;
  private static final Schema META =
      SchemaRegistry.withDefaultDialect(DRAFT).getSchema(SchemaLocation.of(DRAFT.getDialectId()));
  private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef");

  private final Schema schema;

  private ToolContract(Schema schema) {
    this.schema = schema;
  }

  /** Returns the contract of a schema without faults. */
  public static ToolContract of(JsonNode schema) {
    return new ToolContract(SchemaRegistry.withDefaultDialect(DRAFT).getSchema(schema));
  }

  /** Returns the violations of a result, in words; empty for a valid one. */
  public List<String> violations(JsonNode result) {
    return schema.validate(result).stream().map(Error::toString).distinct().toList();
  }

  /** A fault of a schema, and the JSON pointer to it. */
  public record SchemaFault(String pointer, String message) {}

  /** Returns the faults that prevent a schema from being a contract. */
  public static List<SchemaFault> faults(JsonNode schema) {
    var faults = new ArrayList<SchemaFault>();
    dialectFault(schema).ifPresent(faults::add);
    faults.addAll(metaSchemaFaults(schema));
    collectRemoteReferences("", schema, faults);
    if (faults.isEmpty()) {
      unusableFault(schema).ifPresent(faults::add);
    }
    return faults;
  }

  /** Returns the first fault at each position: the others repeat it in other words. */
  private static Collection<SchemaFault> metaSchemaFaults(JsonNode schema) {
    var faults = new LinkedHashMap<String, SchemaFault>();
    for (var error : META.validate(schema)) {
      String pointer = error.getInstanceLocation().toString();
      faults.putIfAbsent(pointer, new SchemaFault(pointer, error.getMessage()));
    }
    return faults.values();
  }

  private static Optional<SchemaFault> dialectFault(JsonNode schema) {
    return Optional.ofNullable(schema.get("$schema"))
        .filter(dialect -> !DRAFT.getDialectId().equals(dialect.asString("")))
        .map(_ -> new SchemaFault("/$schema", "the schema is of another draft"));
  }

  /* The depth is bounded by the JSON reader. */
  private static void collectRemoteReferences(
      String pointer, JsonNode node, List<SchemaFault> faults) {
    node.properties()
        .forEach(
            property -> {
              String inner = pointer + "/" + property.getKey();
              if (REFERENCES.contains(property.getKey())
                  && property.getValue().isString()
                  && !property.getValue().asString().startsWith("#")) {
                faults.add(new SchemaFault(inner, "the schema refers to another document"));
              }
              collectRemoteReferences(inner, property.getValue(), faults);
            });
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      collectRemoteReferences(pointer + "/" + i, node.get(i), faults);
    }
  }

  private static String reason(SchemaException e) {
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return line.replaceFirst("^[\\w.$]+(Exception|Error): ", "");
  }

  /** Returns a fault that only shows in use, such as an invalid pattern. */
  private static Optional<SchemaFault> unusableFault(JsonNode schema) {
    try {
      of(schema).schema.initializeValidators();
      return Optional.empty();
    } catch (SchemaException e) {
      return Optional.of(new SchemaFault("", reason(e)));
    }
  }
}
