package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.HelpPages;
import dev.caliber.app.Main;
import dev.caliber.kernel.RandomSource;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Tests that docs/cli.md and the help describe exactly the commands that exist, and that the
 * commands of docs/context.md and docs/tutorial.md print what the pages show.
 */
class AppDocumentationTest {
  private static final Pattern HEADING = Pattern.compile("(?m)^### `(caliber[a-z -]*)`$");
  private static final Pattern COMMAND = Pattern.compile("(?m)^(?:\\$ )?caliber (.+)$");
  private static final String ULID = "01[0-9A-Z]{24}";
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+Z)?";

  /** Scores, and the remarks about the index: both depend on its progress. */
  private static final String SCORE = "\\d\\.\\d{3}|(?<=base\\)|estimate\\))[;,].*";

  private static final String ANSWER =
      """
      Take the night train to Oslo airport, which leaves at 23:05 [4]. It costs 20 euros [7].
      The lights are best from November to March. Have a good trip!
      """;
  private static final Pattern EXIT_CODE = Pattern.compile("(?m)^\\| (\\d+) \\| (.*) \\|$");

  private static String page() throws IOException {
    return Files.readString(Path.of(System.getProperty("caliber.root"), "docs", "cli.md"));
  }

  private static CommandSpec root() {
    PrintStream nowhere =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return Main.commands(
            new ProcessEnvironment(
                Terminal.of(nowhere, nowhere),
                Map.of(),
                Path.of(""),
                new ManualClock(),
                RandomSource.seeded(1)),
            new CaliberCommand())
        .getCommandSpec();
  }

  /** Returns every command without subcommands, by its full name. */
  private static Map<String, CommandSpec> commands() {
    Map<String, CommandSpec> found = new TreeMap<>();
    collect(root(), found);
    return found;
  }

  private static void collect(CommandSpec parent, Map<String, CommandSpec> found) {
    for (CommandLine child : parent.subcommands().values()) {
      CommandSpec spec = child.getCommandSpec();
      if (spec.usageMessage().hidden()) {
        continue;
      }
      if (spec.subcommands().isEmpty()) {
        found.put(spec.qualifiedName(), spec);
      }
      collect(spec, found);
    }
  }

  private static Map<String, String> sections(String page) {
    Map<String, String> sections = new LinkedHashMap<>();
    var headings = HEADING.matcher(page).results().toList();
    for (int i = 0; i < headings.size(); i++) {
      String rest = page.substring(headings.get(i).end());
      int end = rest.indexOf("\n#");
      sections.put(headings.get(i).group(1), end < 0 ? rest : rest.substring(0, end));
    }
    return sections;
  }

  @Test
  void everyCommandHasItsSectionAndNoOtherHas() throws IOException {
    assertThat(sections(page()).keySet()).isEqualTo(Set.copyOf(commands().keySet()));
  }

  @Test
  void everyOptionAndParameterOfACommandIsInItsSection() throws IOException {
    Map<String, String> sections = sections(page());
    commands()
        .forEach(
            (name, spec) -> {
              String section = String.valueOf(sections.get(name));
              spec.options().stream()
                  .filter(option -> !option.inherited())
                  .forEach(option -> assertThat(section).as(name).contains("| `" + text(option)));
              spec.positionalParameters()
                  .forEach(
                      parameter -> assertThat(section).as(name).contains(parameter.paramLabel()));
            });
  }

  private static String text(OptionSpec option) {
    return option.longestName()
        + (option.arity().max() == 0 ? "" : " " + option.paramLabel())
        + "`";
  }

  @Test
  void everyOptionOfAllCommandsIsInTheFirstTable() throws IOException {
    String table = page().substring(0, page().indexOf("## Begin"));
    for (OptionSpec option : root().options()) {
      for (String name : option.names()) {
        assertThat(table).contains("`" + name);
      }
    }
  }

  @Test
  void everyExitCodeIsInThePageAndInTheHelp() throws IOException {
    Map<String, String> documented = new LinkedHashMap<>();
    EXIT_CODE.matcher(page()).results().forEach(row -> documented.put(row.group(1), row.group(2)));
    Map<String, String> wanted = new LinkedHashMap<>();
    Stream.of(ExitCode.values())
        .forEach(code -> wanted.put(Integer.toString(code.number()), code.meaning()));
    assertThat(documented).isEqualTo(wanted);
    assertThat(root().usageMessage().exitCodeList().values())
        .containsExactlyElementsOf(wanted.values());
  }

  @Test
  void everyCommandIsInAGroupOfTheHelp() {
    List<String> grouped = HelpPages.groupNames().values().stream().flatMap(List::stream).toList();
    List<String> visible =
        root().subcommands().entrySet().stream()
            .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .toList();
    assertThat(grouped).containsExactlyInAnyOrderElementsOf(visible);
  }

  @ParameterizedTest
  @CsvSource({"context.md, '## Sections'", "tutorial.md, '## 4. The agent in Python'"})
  void theCommandsOfAPagePrintWhatItShows(String name, String end, @TempDir Path directory)
      throws IOException {
    String page = Files.readString(Path.of(System.getProperty("caliber.root"), "docs", name));
    page = page.substring(0, page.indexOf(end));
    Files.writeString(directory.resolve("answer.txt"), ANSWER);
    Shell shell = new Shell(directory);
    StringBuilder printed = new StringBuilder();
    String window = "";
    for (String line : COMMAND.matcher(page).results().map(found -> found.group(1)).toList()) {
      var ran = shell.run(words(line.replaceAll(ULID, window)));
      assertThat(ran.code()).as(line + ran.err()).isEqualTo(line.startsWith("annotate") ? 1 : 0);
      printed.append(ran.out()).append(ran.err());
      var made = Pattern.compile("Window (\\S+):").matcher(ran.err());
      window = made.find() ? made.group(1) : window;
    }
    assertThat(shownLines(printed.toString())).containsAll(shownLines(shownBlocks(page)));
  }

  private static String shownBlocks(String page) {
    return Pattern.compile("(?s)```(\\w*)\\n(.*?)```")
        .matcher(page)
        .results()
        .filter(found -> found.group(1).isEmpty())
        .map(found -> found.group(2))
        .collect(Collectors.joining());
  }

  /**
   * Returns the lines without commands, ids, times, scores and the columns that context.md leaves
   * out.
   */
  private static List<String> shownLines(String text) {
    return text.lines()
        .filter(
            line -> !line.startsWith("$ ") && !line.contains("mkdir") && !line.contains("alias"))
        .map(line -> line.replaceAll(ULID, "").replaceAll(TIME, "").replaceAll(SCORE, ""))
        .map(line -> line.replaceAll("^(\\d  \\w+ +)(turn|note) +", "$1"))
        .map(line -> line.replaceAll("\\s+", " ").strip())
        .filter(line -> !line.startsWith("N SECTION"))
        .toList();
  }

  private static String[] words(String line) {
    return Pattern.compile("\"([^\"]*)\"|(\\S+)")
        .matcher(line)
        .results()
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .toArray(String[]::new);
  }
}
