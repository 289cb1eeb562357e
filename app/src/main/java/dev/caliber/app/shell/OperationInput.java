package dev.caliber.app.shell;

import dev.caliber.kernel.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Input of an operation, which a command fills from its options. */
public record OperationInput(ObjectNode json) {

  public static OperationInput empty() {
    return new OperationInput(Json.mapper().createObjectNode());
  }

  public static OperationInput of(String property, Object value) {
    return empty().with(property, value);
  }

  /** Sets a property; an absent value, and an option that was not given, leave it out. */
  public OperationInput with(String property, @Nullable Object value) {
    Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    if (given != null) {
      json.set(property, Json.mapper().valueToTree(given));
    }
    return this;
  }

  public boolean has(String property) {
    return json.has(property);
  }

  /** Returns the text of a property, empty without one. */
  public String text(String property) {
    return json.path(property).asString("");
  }

  public boolean isSet(String flag) {
    return json.path(flag).asBoolean(false);
  }

  /** Removes a flag, which is for the command alone, and returns whether it was set. */
  public boolean takeFlag(String property) {
    boolean set = isSet(property);
    json.remove(property);
    return set;
  }

  /** Lets a command that asks for {@code --yes} only show its effect without it. */
  public void requirePreviewOrYes() {
    boolean yes = takeFlag("yes");
    if (yes && takeFlag("dry_run")) {
      throw AppException.conflictingOptions(
          "--dry-run cannot be combined with --yes", "Leave out one of them.");
    }
    with("dry_run", !yes);
  }
}
