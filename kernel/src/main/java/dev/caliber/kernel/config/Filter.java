package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.KernelException;
import java.util.List;

/** Condition on the records of a rule. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Filter {

  /** Condition that holds if all of the parts do. */
  @JsonTypeName("and")
  record AndFilter(List<Filter> parts) implements Filter {
    public AndFilter {
      parts = requireAtLeastTwo(parts);
    }
  }

  /** Condition that holds if one of the parts does. */
  @JsonTypeName("or")
  record OrFilter(List<Filter> parts) implements Filter {
    public OrFilter {
      parts = requireAtLeastTwo(parts);
    }
  }

  /** Comparison of a field with a value. */
  @JsonTypeName("comparison")
  record ComparisonFilter(String field, ComparisonOperator comparator, FilterValue value)
      implements Filter {
    public ComparisonFilter {
      DefinitionRules.require("field of a filter", field);
    }
  }

  private static List<Filter> requireAtLeastTwo(List<Filter> parts) {
    if (parts.size() < 2) {
      throw KernelException.invalidValue(
          "parts of a filter", "two or more", Integer.toString(parts.size()));
    }
    return List.copyOf(parts);
  }
}
