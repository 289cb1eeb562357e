package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.MemoryPermission;
import dev.caliber.testkit.EachEngine;
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

/** Access control of the integrity checks. */
@EachEngine
class AccessContract extends GuardianFixture {
  /** Operations of a reader; the others write, if only traces. */
  private static final Set<String> READING =
      Set.of("withLedgers", "windowAt", "trajectoryState", "trajectoryTrace", "lineage");

  private static final AccessPolicy POLICY =
      (actor, _, memoryPermission) ->
          actor.equals("everybody")
              || (actor.equals("reader") && memoryPermission == MemoryPermission.READ);

  private Trajectory task;
  private Artifact made;
  private Checkpoint point;
  private Window window;

  @BeforeEach
  void tell() {
    task = start();
    say(task, "The wall is blue.");
    made = fact(task, "The wall is blue.", 0.9);
    point = guardian.saveCheckpoint(SPACE, task.id());
    window = assemble(task).window();
  }

  /** Returns every operation on a space. */
  private static List<Method> deeds() {
    return Stream.of(ContextIntegrity.class.getDeclaredMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> !Set.of("asActor", "registerJobHandlers").contains(method.getName()))
        .toList();
  }

  private Object argument(Method deed, Parameter parameter) {
    return switch (parameter.getType().getSimpleName()) {
      case "SpaceId" -> SPACE;
      case "Id" -> about(deed);
      case "Window" -> window;
      case "AssembleRequest" -> AssembleRequest.of(task.id());
      case "ValidationReport" -> ValidationReport.of(List.of());
      case "RecoveryRequest" -> RecoveryRequest.toCheckpoint(point.id());
      case "WindowPersistence" -> new WindowPersistence.PermanentPersistence();
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
      case "windowAt", "fork" -> point.id();
      case "lintArtifact", "lineage" -> made.id();
      default -> task.id();
    };
  }

  private void call(ContextIntegrity whose, Method deed) {
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

  private void denies(ContextIntegrity whose, Method deed) {
    long before = store.changes().head(SPACE).sequence();
    CaliberException refused =
        catchThrowableOfType(CaliberException.class, () -> call(whose, deed));
    assertThat(refused).as(deed.getName()).isNotNull();
    assertThat(refused.code()).as(deed.getName()).isEqualTo(MemoryErrorCode.ACCESS_DENIED);
    assertThat(store.changes().head(SPACE).sequence()).as(deed.getName()).isEqualTo(before);
  }

  @Test
  @DisplayName(
      "Without an actor all is denied; a reader reads, and an actor with all grants does all")
  void nobodyMayDoNothing() {
    ContextIntegrity anonymous = guarded(POLICY);
    assertThat(deeds()).hasSizeGreaterThan(READING.size());
    for (Method deed : deeds()) {
      denies(anonymous, deed);
      denies(anonymous.asActor("stranger"), deed);
      if (READING.contains(deed.getName())) {
        assertThatCode(() -> call(anonymous.asActor("reader"), deed))
            .as(deed.getName())
            .doesNotThrowAnyException();
      } else {
        denies(anonymous.asActor("reader"), deed);
      }
    }
    for (Method deed : deeds()) {
      assertThatCode(() -> call(anonymous.asActor("everybody"), deed))
          .as(deed.getName())
          .doesNotThrowAnyException();
    }
  }

  @Test
  @DisplayName("A reader may look before: dry runs change nothing")
  void readersLook() {
    ContextIntegrity reader = guarded(POLICY).asActor("reader");
    SpaceId space = SPACE;
    long before = store.changes().head(space).sequence();
    assertThat(
            reader.recover(space, RecoveryRequest.toCheckpoint(point.id()).withDryRun()).success())
        .isTrue();
    assertThat(
            reader
                .assemble(space, AssembleRequest.of(task.id()).withDryRun())
                .assembledWindow()
                .text())
        .contains("The wall is blue.");
    assertThat(store.changes().head(space).sequence()).isEqualTo(before);
  }
}
