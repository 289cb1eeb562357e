package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of {@code caliber annotate}. */
class AppAnnotateTest {
  @TempDir Path directory;

  private Shell shell = new Shell(Path.of(""));
  private String window = "";
  private String note = "";
  private String number = "";

  @BeforeEach
  void fill() {
    shell = new Shell(directory);
    done("remember", "Which train leaves first?", "--session", "t7");
    note =
        Json.read(
                done("remember", "Alice likes green tea.", "--entity", "alice", "--json"),
                JsonNode.class)
            .at("/note/id")
            .asString();
    JsonNode made =
        Json.read(
            done("assemble", "t7", "--query", "green tea", "--lexical", "--json"), JsonNode.class);
    window = made.at("/window/id").asString();
    Matcher cited = Pattern.compile("\\[(\\d+)] alice").matcher(made.path("text").asString());
    assertThat(cited.find()).as(made.path("text").asString()).isTrue();
    number = cited.group(1);
  }

  private String done(String... line) {
    Ran ran = shell.run(line);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  @Test
  @DisplayName("an answer is held against its window, claim by claim")
  void claims() {
    String answer =
        """
        Alice likes green tea [%s]. She was born in Rome [99]. Which train leaves first? \
        It says little about boats.
        [INFERENCE] She would like a cup
        \u26a0 The tea may be cold
        """
            .formatted(number);
    Ran ran = shell.typing(answer).run("annotate", window);
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out().lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("cited ")
                    .contains("green tea", "[%s] note %s".formatted(number, note)))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("miscited ")
                    .contains("Rome", "[99] does not exist in the window"))
        .anySatisfy(
            line -> assertThat(line).startsWith("inferred ").contains("Which train", "] turn "))
        .anySatisfy(line -> assertThat(line).startsWith("uncited ").endsWith("about boats."))
        .anySatisfy(line -> assertThat(line).startsWith("inference ").contains("a cup"))
        .anySatisfy(line -> assertThat(line).startsWith("warning ").contains("may be cold"));
    assertThat(ran.err()).contains(" claims: 1 cited, 1 miscited, 1 inferred, ");
  }

  @Test
  @DisplayName("an answer without wrong citations is no failure, from a file and as JSON")
  void files() throws IOException {
    Files.writeString(
        directory.resolve("answer.txt"), "Alice likes green tea [%s].".formatted(number));
    JsonNode told = Json.read(done("annotate", window, "answer.txt", "--json"), JsonNode.class);
    assertThat(told.at("/claims/0/standing").asString()).isEqualTo("CITED");
    assertThat(told.at("/sources_used/0").asString()).isEqualTo(note);
    assertThat(told.path("fabricated")).isEmpty();
    assertThat(shell.typing("It is not known.").run("annotate", window, "-").code()).isZero();
    assertThat(shell.typing("").run("annotate", window).err()).contains("0 claims");
    assertThat(done("annotate", "--help"))
        .contains("Examples:", "caliber annotate 01JD", "miscited");
  }

  @Test
  @DisplayName("an invalid answer and an unknown window are refused with their codes")
  void refusals() throws IOException {
    shell.typing("It is not known.");
    Ran unknown = shell.run("annotate", "01JD0000000000000000000000");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND.number());
    assertThat(unknown.err()).contains("UNKNOWN_WINDOW");
    Ran wrong = shell.run("annotate", "t7");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(wrong.err())
        .contains("'t7' is not the id of a window", "caliber windows TRAJECTORY");
    assertThat(shell.run("annotate", window, "nothing.txt").code())
        .isEqualTo(ExitCode.NOT_FOUND.number());
    Files.write(directory.resolve("broken.txt"), new byte[] {'a', (byte) 0xff, 'b'});
    Ran broken = shell.run("annotate", window, "broken.txt");
    assertThat(broken.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(broken.err()).contains("FILE_UNREADABLE", "it is not UTF-8 text");
  }

  @Test
  @DisplayName("an answer is as long as a turn at most, and no more of it is read than a bound")
  void limits() {
    Ran talker = shell.typing("long ".repeat(1 << 18)).run("annotate", window);
    assertThat(talker.code()).isEqualTo(ExitCode.LIMIT.number());
    assertThat(talker.err()).contains("memory.limits.turn", "1048576");
    Ran endless = shell.typing("endless ".repeat(1 << 22)).run("annotate", window);
    assertThat(endless.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(endless.err()).contains("it has more than 16MiB");
  }
}
