package dev.caliber.lang.check;

import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.lang.syntax.Keywords;
import java.util.List;
import java.util.stream.Collectors;

/** What can be done with fields of each type. */
final class FieldTypes {
  private static final List<Comparator> EQUALITY = List.of(Comparator.EQUAL, Comparator.NOT_EQUAL);
  private static final List<Comparator> TEXTS =
      List.of(Comparator.EQUAL, Comparator.NOT_EQUAL, Comparator.MATCHES, Comparator.CONTAINS);
  private static final List<Comparator> ORDER =
      List.of(
          Comparator.EQUAL,
          Comparator.NOT_EQUAL,
          Comparator.GREATER,
          Comparator.LESS,
          Comparator.AT_LEAST,
          Comparator.AT_MOST);
  private static final List<IndexType> VALUES = List.of(IndexType.BTREE, IndexType.HASH);

  private FieldTypes() {}

  /** The word of the language. */
  static String word(FieldType type) {
    return switch (type) {
      case FieldType.Plain(var primitive) -> Keywords.word(primitive);
      case FieldType.Enumeration _ -> "enum";
    };
  }

  static List<Comparator> comparators(FieldType type) {
    return switch (type) {
      case FieldType.Enumeration _ -> EQUALITY;
      case FieldType.Plain(var primitive) ->
          switch (primitive) {
            case UUID, BOOL -> EQUALITY;
            case TEXT -> TEXTS;
            case INT, FLOAT, TIMESTAMP -> ORDER;
            case JSON -> List.of(Comparator.CONTAINS);
            case EMBEDDING -> List.of();
          };
    };
  }

  static List<IndexType> indexes(FieldType type) {
    return switch (type) {
      case FieldType.Enumeration _ -> VALUES;
      case FieldType.Plain(var primitive) ->
          switch (primitive) {
            case UUID, INT, FLOAT, BOOL, TIMESTAMP -> VALUES;
            case TEXT -> List.of(IndexType.BTREE, IndexType.HASH, IndexType.GIN);
            case JSON -> List.of(IndexType.GIN);
            case EMBEDDING -> List.of(IndexType.HNSW, IndexType.IVFFLAT);
          };
    };
  }

  /** Whether a schema may declare the type for a field that the runtime has with the other. */
  static boolean compatible(FieldType declared, FieldType actual) {
    boolean narrowed =
        declared instanceof FieldType.Enumeration
            && (actual instanceof FieldType.Enumeration || isText(actual));
    boolean widened = isText(declared) && actual instanceof FieldType.Enumeration;
    return declared.equals(actual) || narrowed || widened;
  }

  private static boolean isText(FieldType type) {
    return type.equals(new FieldType.Plain(Primitive.TEXT));
  }

  static String symbols(List<Comparator> comparators) {
    return comparators.stream().map(Comparator::symbol).collect(Collectors.joining(" "));
  }
}
