package dev.caliber.server.operation;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A rule for the properties that name subjects in an operation's input. A place is the path of the
 * object that has the property {@code subject}: empty for the input itself, {@code turns/*} for
 * each element of a list.
 *
 * @param read the places where a subject narrows a read
 * @param written the places of a new record's subject; a missing one is filled in for a caller with
 *     a subject
 * @param continuesSession whether the operation adds to the named session, which may be a group;
 *     else it begins or changes one
 */
public record SubjectRule(List<String> read, List<String> written, boolean continuesSession) {
  /** The rule of inputs that name no subject. */
  static final SubjectRule NONE = new SubjectRule(List.of(), List.of(), false);

  private static final String SUBJECT = "subject";
  private static final String SUBJECTS = "subjects";
  private static final String EACH = "*";

  public SubjectRule {
    read = List.copyOf(read);
    written = List.copyOf(written);
  }

  /** Returns the rule of inputs whose subject narrows a read. */
  public static SubjectRule forReads() {
    return new SubjectRule(List.of(""), List.of(), false);
  }

  /** Returns the rule of new records with their subject at these places. */
  public static SubjectRule forWrites(String... places) {
    return new SubjectRule(List.of(), List.of(places), false);
  }

  /** Returns the rule of session turns with their subject at these places. */
  public static SubjectRule forSessionTurns(String... places) {
    return new SubjectRule(List.of(), List.of(places), true);
  }

  /** Fills in the caller's subject; refuses an input that names another one. */
  JsonNode bindSubject(JsonNode input, String subject) {
    if (input.has(SUBJECTS)) {
      throw ServerException.subjectDenied();
    }
    JsonNode bound = input.deepCopy();
    read.forEach(place -> visitObjects(bound, place, object -> requireSubject(object, subject)));
    written.forEach(
        place ->
            visitObjects(
                bound,
                place,
                object -> {
                  requireSubject(object, subject);
                  object.put(SUBJECT, subject);
                }));
    return bound;
  }

  private static void requireSubject(ObjectNode object, String subject) {
    JsonNode named = object.path(SUBJECT);
    if (!named.isMissingNode() && !named.isNull() && !named.asString("").equals(subject)) {
      throw ServerException.subjectDenied();
    }
  }

  /** Visits the objects at the place; the input reader refuses values of another shape. */
  private static void visitObjects(JsonNode node, String place, Consumer<ObjectNode> action) {
    if (place.isEmpty()) {
      if (node instanceof ObjectNode object) {
        action.accept(object);
      }
      return;
    }
    int end = place.indexOf('/');
    String first = end < 0 ? place : place.substring(0, end);
    String rest = end < 0 ? "" : place.substring(end + 1);
    if (first.equals(EACH)) {
      node.forEach(element -> visitObjects(element, rest, action));
    } else {
      visitObjects(node.path(first), rest, action);
    }
  }
}
