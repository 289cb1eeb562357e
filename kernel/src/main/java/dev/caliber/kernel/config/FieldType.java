package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** Type of a field. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface FieldType {

  /** Type without parameters. */
  @JsonTypeName("plain")
  record PlainFieldType(PrimitiveType primitive) implements FieldType {}

  /** One of the listed texts. */
  @JsonTypeName("enumeration")
  record EnumerationFieldType(List<String> values) implements FieldType {
    public EnumerationFieldType {
      values = List.copyOf(values);
      if (values.isEmpty()) {
        throw KernelException.requiredFieldMissing("values of an enumeration");
      }
      DefinitionRules.requireUnique("value of an enumeration", values.stream());
    }
  }

  /** Types that are one keyword of the language. */
  enum PrimitiveType {
    UUID,
    TEXT,
    INT,
    FLOAT,
    BOOL,
    TIMESTAMP,
    JSON,
    EMBEDDING
  }
}
