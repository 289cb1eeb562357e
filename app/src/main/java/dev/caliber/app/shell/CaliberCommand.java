package dev.caliber.app.shell;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Root command: shows the help. Its options belong to every command. */
@Command(
    name = "caliber",
    header = "Memory and coordination runtime for AI agents.",
    versionProvider = AppVersionProvider.class,
    optionListHeading = "%nGlobal options:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber demo                      check what Caliber promises, in half a minute",
      "  caliber init                      write a caliber.toml with every setting explained",
      "  caliber remember \"I prefer window seats\" --subject alice",
      "  caliber recall \"Where does she like to sit?\" --subject alice",
      "  caliber spaces create team-a      create a space: one for each application or team",
      "  caliber stats --json              show what is in the store, as JSON",
      "  caliber feed tail --from 1        print every commit still in the feed, oldest first",
      "  caliber help feed tail            show the help of one command",
    })
public final class CaliberCommand implements Runnable {
  /** Name of the class with {@code main}, for processes that a command starts. */
  public static final String MAIN_CLASS = "dev.caliber.app.Main";

  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "The configuration file, in TOML, or in JSON if its name ends with .json. Default: the"
              + " nearest caliber.toml from the working directory upwards, else the starter"
              + " version.")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The store's directory for this call, instead of store.sqlite.directory.")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--space",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description =
          "The space. Default: CALIBER_SPACE, else command.default-space of the configuration.")
  private Optional<String> space = Optional.empty();

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print results as JSON, one value per line.")
  private boolean json;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Also print the stack trace of an error.")
  private boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  Optional<Path> config() {
    return config;
  }

  Optional<Path> data() {
    return data;
  }

  Optional<String> space() {
    return space;
  }

  boolean isJson() {
    return json;
  }

  public boolean isDebug() {
    return debug;
  }

  @Override
  public void run() {
    if (spec != null && !help && !version) {
      CommandLine command = spec.commandLine();
      command.usage(command.getOut(), command.getColorScheme());
    }
  }
}
