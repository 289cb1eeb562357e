package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** What a field holds. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface FieldType {

  /** A value of a type that needs no more words. */
  @JsonTypeName("plain")
  record Plain(Primitive primitive) implements FieldType {}

  /** One of the texts that are listed. */
  @JsonTypeName("enumeration")
  record Enumeration(List<String> values) implements FieldType {
    public Enumeration {
      values = List.copyOf(values);
      if (values.isEmpty()) {
        throw KernelException.requiredFieldMissing("values of an enumeration");
      }
      Names.requireUnique("value of an enumeration", values.stream());
    }
  }

  /** The types that are one word of the language. */
  enum Primitive {
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
