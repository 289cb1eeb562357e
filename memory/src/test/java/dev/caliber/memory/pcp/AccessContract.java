package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.Access;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who may do what, on whatever engine. */
abstract class AccessContract extends GuardianFixture {
  /** What a reader may do; the others change something, if only the traces. */
  private static final Set<String> READING =
      Set.of("withLedgers", "window", "state", "story", "lineage");

  private static final AccessPolicy POLICY =
      (actor, _, access) ->
          actor.equals("everybody") || (actor.equals("reader") && access == Access.READ);

  private Trajectory task;
  private Artifact made;
  private Checkpoint point;
  private Window window;

  @BeforeEach
  void tell() {
    task = start();
    say(task, "The wall is blue.");
    made = fact(task, "The wall is blue.", 0.9);
    point = guardian.checkpoint(SPACE, task.id());
    window = assemble(task).window();
  }

  /** Everything that a guardian does in a space. */
  private static List<Method> deeds() {
    return Stream.of(Guardian.class.getDeclaredMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> !Set.of("as", "attach").contains(method.getName()))
        .toList();
  }

  private Object argument(Method deed, Parameter parameter) {
    return switch (parameter.getType().getSimpleName()) {
      case "SpaceId" -> SPACE;
      case "Id" -> about(deed);
      case "Window" -> window;
      case "AssembleRequest" -> AssembleRequest.of(task.id());
      case "Report" -> Report.of(List.of());
      case "Recover" -> Recover.to(point.id());
      case "Persistence" -> new Persistence.Permanent();
      case "String" -> "Another way";
      case "Optional" -> Optional.empty();
      case "List" -> List.of(point);
      case "int" -> 1;
      case "boolean" -> true;
      default -> throw new AssertionError("No argument for " + parameter);
    };
  }

  private Id about(Method deed) {
    return switch (deed.getName()) {
      case "window", "fork" -> point.id();
      case "lint", "lineage" -> made.id();
      default -> task.id();
    };
  }

  private void call(Guardian whose, Method deed) {
    Object[] arguments = Stream.of(deed.getParameters()).map(one -> argument(deed, one)).toArray();
    try {
      deed.invoke(whose, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof CaliberException refused) {
        throw refused;
      }
      throw new AssertionError(deed.getName(), e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(deed.getName(), e);
    }
  }

  private void denies(Guardian whose, Method deed) {
    long before = store.changes().head(SPACE).sequence();
    CaliberException refused =
        catchThrowableOfType(CaliberException.class, () -> call(whose, deed));
    assertThat(refused).as(deed.getName()).isNotNull();
    assertThat(refused.code()).as(deed.getName()).isEqualTo(MemoryErrorCode.ACCESS_DENIED);
    assertThat(store.changes().head(SPACE).sequence()).as(deed.getName()).isEqualTo(before);
  }

  @Test
  @DisplayName("Nobody may do nothing; a reader reads, and whoever may do everything does")
  void nobodyMayDoNothing() {
    Guardian nobody = guarded(POLICY);
    assertThat(deeds()).hasSizeGreaterThan(READING.size());
    for (Method deed : deeds()) {
      denies(nobody, deed);
      denies(nobody.as("stranger"), deed);
      if (READING.contains(deed.getName())) {
        assertThatCode(() -> call(nobody.as("reader"), deed))
            .as(deed.getName())
            .doesNotThrowAnyException();
      } else {
        denies(nobody.as("reader"), deed);
      }
    }
    for (Method deed : deeds()) {
      assertThatCode(() -> call(nobody.as("everybody"), deed))
          .as(deed.getName())
          .doesNotThrowAnyException();
    }
  }

  @Test
  @DisplayName("A reader may look before: dry runs change nothing")
  void readersLook() {
    Guardian reader = guarded(POLICY).as("reader");
    SpaceId space = SPACE;
    long before = store.changes().head(space).sequence();
    assertThat(reader.recover(space, Recover.to(point.id()).dry()).success()).isTrue();
    assertThat(reader.assemble(space, AssembleRequest.of(task.id()).dry()).assembled().text())
        .contains("The wall is blue.");
    assertThat(store.changes().head(space).sequence()).isEqualTo(before);
  }
}
