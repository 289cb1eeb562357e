package dev.caliber.agents.registry;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.MemoryKind;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Permission for records of one kind, or of all, in one space, or in all: {@code note}, {@code
 * note@team-b}, {@code *@*}. Without a space it applies to the agent's own space.
 *
 * @param kind a kind of memory in lower case, or {@code *}
 * @param space the name of a space, {@code *}, or empty
 */
public record Grant(String kind, String space) {
  private static final String ANY = "*";
  private static final String AT = "@";

  public Grant {
    boolean known =
        kind.equals(ANY)
            || Stream.of(MemoryKind.values()).map(Grant::kindName).anyMatch(kind::equals);
    if (!known) {
      throw KernelException.invalidValue("memory access", "KIND or KIND@SPACE", kind);
    }
    if (!space.isEmpty() && !space.equals(ANY)) {
      new SpaceId(space);
    }
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Grant parse(String text) {
    int at = text.indexOf(AT);
    return at < 0 ? new Grant(text, "") : new Grant(text.substring(0, at), text.substring(at + 1));
  }

  boolean allows(MemoryKind wanted, SpaceId where, SpaceId own) {
    boolean there = space.isEmpty() ? where.equals(own) : space.equals(where.value());
    return (kind.equals(ANY) || kind.equals(kindName(wanted))) && (space.equals(ANY) || there);
  }

  public static String kindName(MemoryKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  @JsonValue
  public String toString() {
    return space.isEmpty() ? kind : kind + AT + space;
  }
}
