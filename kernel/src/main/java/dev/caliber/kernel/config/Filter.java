package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** Which records a rule is about. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Filter {

  /** All of the parts hold. */
  @JsonTypeName("and")
  record And(List<Filter> parts) implements Filter {
    public And {
      parts = several(parts);
    }
  }

  /** One of the parts holds. */
  @JsonTypeName("or")
  record Or(List<Filter> parts) implements Filter {
    public Or {
      parts = several(parts);
    }
  }

  /** A field and a value compare so. */
  @JsonTypeName("comparison")
  record Comparison(String field, Comparator comparator, FilterValue value) implements Filter {
    public Comparison {
      Names.require("field of a filter", field);
    }
  }

  private static List<Filter> several(List<Filter> parts) {
    if (parts.size() < 2) {
      throw KernelException.invalidValue(
          "parts of a filter", "two or more", Integer.toString(parts.size()));
    }
    return List.copyOf(parts);
  }
}
