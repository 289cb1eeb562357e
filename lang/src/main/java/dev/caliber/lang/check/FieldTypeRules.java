package dev.caliber.lang.check;

import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.lang.ast.Keywords;
import java.util.List;
import java.util.stream.Collectors;

/** Allowed uses of fields, by type. */
final class FieldTypeRules {
  private static final List<ComparisonOperator> EQUALITY =
      List.of(ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL);
  private static final List<ComparisonOperator> TEXTS =
      List.of(
          ComparisonOperator.EQUAL,
          ComparisonOperator.NOT_EQUAL,
          ComparisonOperator.MATCHES,
          ComparisonOperator.CONTAINS);
  private static final List<ComparisonOperator> ORDER =
      List.of(
          ComparisonOperator.EQUAL,
          ComparisonOperator.NOT_EQUAL,
          ComparisonOperator.GREATER,
          ComparisonOperator.LESS,
          ComparisonOperator.AT_LEAST,
          ComparisonOperator.AT_MOST);
  private static final List<IndexType> VALUES = List.of(IndexType.BTREE, IndexType.HASH);

  private FieldTypeRules() {}

  /** Returns the keyword of the type. */
  static String word(FieldType type) {
    return switch (type) {
      case FieldType.PlainFieldType(var primitiveType) -> Keywords.word(primitiveType);
      case FieldType.EnumerationFieldType _ -> "enum";
    };
  }

  static List<ComparisonOperator> allowedComparators(FieldType type) {
    return switch (type) {
      case FieldType.EnumerationFieldType _ -> EQUALITY;
      case FieldType.PlainFieldType(var primitiveType) ->
          switch (primitiveType) {
            case UUID, BOOL -> EQUALITY;
            case TEXT -> TEXTS;
            case INT, FLOAT, TIMESTAMP -> ORDER;
            case JSON -> List.of(ComparisonOperator.CONTAINS);
            case EMBEDDING -> List.of();
          };
    };
  }

  static List<IndexType> allowedIndexes(FieldType type) {
    return switch (type) {
      case FieldType.EnumerationFieldType _ -> VALUES;
      case FieldType.PlainFieldType(var primitiveType) ->
          switch (primitiveType) {
            case UUID, INT, FLOAT, BOOL, TIMESTAMP -> VALUES;
            case TEXT -> List.of(IndexType.BTREE, IndexType.HASH, IndexType.GIN);
            case JSON -> List.of(IndexType.GIN);
            case EMBEDDING -> List.of(IndexType.HNSW, IndexType.IVFFLAT);
          };
    };
  }

  /** Returns whether a schema may declare this type for a field of the runtime. */
  static boolean isCompatible(FieldType declared, FieldType actual) {
    boolean narrowed =
        declared instanceof FieldType.EnumerationFieldType
            && (actual instanceof FieldType.EnumerationFieldType || isText(actual));
    boolean widened = isText(declared) && actual instanceof FieldType.EnumerationFieldType;
    return declared.equals(actual) || narrowed || widened;
  }

  private static boolean isText(FieldType type) {
    return type.equals(new FieldType.PlainFieldType(PrimitiveType.TEXT));
  }

  static String symbols(List<ComparisonOperator> comparators) {
    return comparators.stream().map(ComparisonOperator::symbol).collect(Collectors.joining(" "));
  }
}
