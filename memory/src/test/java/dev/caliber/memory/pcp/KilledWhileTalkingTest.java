package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.ManualClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes loses nothing of a window of its past. */
class KilledWhileTalkingTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int SAID_BEFORE = 5;
  private static final int SAID_AFTER = 20;

  @TempDir Path directory;

  /** What both processes open. */
  private record Opened(
      RecordStore store, Memory memory, ContextAssembler assembler, Guardian guardian)
      implements AutoCloseable {

    static Opened at(Path directory, ManualClock clock) {
      List<Table<?>> tables =
          Stream.of(Memory.tables(), ContextAssembler.tables(), Guardian.tables())
              .flatMap(List::stream)
              .toList();
      RecordStore store =
          RecordStore.open(
              StoreConfig.starter().withEngine(Engines.sqlite(directory)),
              tables,
              clock,
              Ids.of(clock, Chance.system()));
      MemoryConfig config = MemoryConfig.starter();
      MemoryParts parts =
          MemoryParts.plain(
              clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimate(4)));
      Memory memory = Memory.of(store, config, parts);
      ContextAssembler assembler = ContextAssembler.of(store, config, parts, TokenCounters.none());
      return new Opened(
          store,
          memory,
          assembler,
          Guardian.of(new Guardian.Rooms(store, memory, assembler), config, parts));
    }

    @Override
    public void close() {
      store.close();
    }
  }

  /** Talks, tells what its window is, and goes on talking until it is killed. */
  static final class Talker {
    private Talker() {}

    public static void main(String[] arguments) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      ManualClock clock = new ManualClock();
      Opened opened = Opened.at(Path.of(arguments[0]), clock);
      Id task =
          opened.memory.run(SPACE, StartTrajectory.of("Talk", EntityRef.agent("talker"))).id();
      for (int i = 0; i < SAID_BEFORE; i++) {
        say(opened, clock, task, i);
      }
      opened.memory.run(
          SPACE, WriteNote.of("zebra", "animal", NoteType.FACT, "Zebras sleep standing."));
      clock.advance(Duration.ofSeconds(1));
      Id point = opened.guardian.checkpoint(SPACE, task).id();
      Instant then = clock.instant();
      String text = opened.assembler.assemble(SPACE, AssembleRequest.of(task).asOf(then)).text();
      out.println(String.join("\t", task.toString(), point.toString(), then.toString()));
      out.println(text.replace("\n", "\\n"));
      for (int i = SAID_BEFORE; true; i++) {
        say(opened, clock, task, i);
        out.println("said " + i);
      }
    }

    private static void say(Opened opened, ManualClock clock, Id task, int number) {
      clock.advance(Duration.ofSeconds(1));
      Id scope = opened.memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
      opened.memory.run(
          SPACE, AppendTurns.of(scope, NewTurn.user("This is number %d.".formatted(number))));
    }
  }

  @Test
  @DisplayName(
      "CTX-25, REC-06: killed, reopened: the same as_of gives the same bytes; the way back")
  void killed() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Talker.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> told;
    String before;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      told = List.of(String.valueOf(reader.readLine()).split("\t"));
      before = String.valueOf(reader.readLine()).replace("\\n", "\n");
      for (int i = 0; i < SAID_AFTER; i++) {
        assertThat(reader.readLine()).startsWith("said");
      }
      process.destroyForcibly().waitFor();
    }
    ManualClock clock = new ManualClock();
    clock.advance(Duration.ofDays(1));
    Id task = Id.parse(told.get(0));
    try (Opened opened = Opened.at(directory, clock)) {
      AssembleRequest then = AssembleRequest.of(task).asOf(Instant.parse(told.get(2)));
      assertThat(opened.assembler.assemble(SPACE, then).text()).isEqualTo(before);
      Recovery done = opened.guardian.recover(SPACE, Recover.to(Id.parse(told.get(1))));
      assertThat(done.done().orElseThrow().turns()).hasSizeGreaterThanOrEqualTo(SAID_AFTER);
      clock.advance(Duration.ofSeconds(1));
      assertThat(opened.assembler.assemble(SPACE, AssembleRequest.of(task)).text())
          .isEqualTo(before);
    }
  }
}
