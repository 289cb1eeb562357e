package dev.caliber.server.operation;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where the input of an operation names subjects. A place is the path of the object that has the
 * property {@code subject}: empty for the input itself, {@code turns/*} for each element of a list.
 *
 * @param read places where a subject narrows what is read
 * @param written places where the subject of a new record stands; what a caller with a subject
 *     leaves out there is filled in
 * @param continues whether it adds to the session that it names, which may be a group; else it
 *     begins one or changes it
 */
public record SubjectRule(List<String> read, List<String> written, boolean continues) {
  /** The input names no subject. */
  static final SubjectRule NONE = new SubjectRule(List.of(), List.of(), false);

  private static final String SUBJECT = "subject";
  private static final String SUBJECTS = "subjects";
  private static final String EACH = "*";

  public SubjectRule {
    read = List.copyOf(read);
    written = List.copyOf(written);
  }

  /** The input says whose records are read. */
  public static SubjectRule reading() {
    return new SubjectRule(List.of(""), List.of(), false);
  }

  /** New records get their subject at these places. */
  public static SubjectRule writing(String... places) {
    return new SubjectRule(List.of(), List.of(places), false);
  }

  /** Turns of a session get their subject at these places. */
  public static SubjectRule saying(String... places) {
    return new SubjectRule(List.of(), List.of(places), true);
  }

  /** The input as the caller with this subject means it; refuses one that names another subject. */
  JsonNode bind(JsonNode input, String subject) {
    if (input.has(SUBJECTS)) {
      throw ServerException.subjectDenied();
    }
    JsonNode bound = input.deepCopy();
    read.forEach(place -> visit(bound, place, object -> require(object, subject)));
    written.forEach(
        place ->
            visit(
                bound,
                place,
                object -> {
                  require(object, subject);
                  object.put(SUBJECT, subject);
                }));
    return bound;
  }

  private static void require(ObjectNode object, String subject) {
    JsonNode named = object.path(SUBJECT);
    if (!named.isMissingNode() && !named.isNull() && !named.asString("").equals(subject)) {
      throw ServerException.subjectDenied();
    }
  }

  /** What does not have the right shape is left for the reader of the input to refuse. */
  private static void visit(JsonNode node, String place, Consumer<ObjectNode> action) {
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
      node.forEach(element -> visit(element, rest, action));
    } else {
      visit(node.path(first), rest, action);
    }
  }
}
