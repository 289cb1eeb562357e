package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads inputs, and says where a wrong one is wrong without repeating what it holds. */
final class Inputs {
  private Inputs() {}

  static <I> I read(JsonNode input, Class<I> type) {
    if (!input.isObject()) {
      throw ServerException.invalidInput("", "Wanted a JSON object, found something else");
    }
    try {
      return Json.mapper().treeToValue(input, type);
    } catch (JacksonException e) {
      throw refusal(e);
    }
  }

  private static CaliberException refusal(JacksonException e) {
    String place = pointer(e);
    return cause(e) instanceof CaliberException known
        ? ServerException.at(place, known)
        : ServerException.invalidInput(
            place, "Wanted a value of the right shape, found none or another");
  }

  /** Records check themselves: what they threw is inside. */
  private static Throwable cause(Throwable e) {
    Throwable found = e;
    while (found.getCause() != null && !(found instanceof CaliberException)) {
      found = found.getCause();
    }
    return found;
  }

  private static String pointer(JacksonException e) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      pointer.append('/').append(name == null ? Integer.toString(step.getIndex()) : escaped(name));
    }
    return pointer.toString();
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
