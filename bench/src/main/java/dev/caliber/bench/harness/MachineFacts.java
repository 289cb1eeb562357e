package dev.caliber.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Facts of the machine that a reader needs to judge figures, without its name or owner. */
public final class MachineFacts {

  private static final double KIB_PER_GIB = 1 << 20;

  private MachineFacts() {}

  /** Returns the facts in the order of display; {@code disk} is the directory of the stores. */
  public static Map<String, String> gather(Path disk) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", LocalDate.now(Stopwatch.clock().withZone(ZoneOffset.UTC)).toString());
    facts.put("cores", coreText());
    facts.put("memory", memoryText());
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "JDK", Runtime.version() + ", " + System.getProperty("java.vendor", "unknown vendor"));
    facts.put("file system", fileSystem(disk));
    facts.put("load before the run", loadText());
    return facts;
  }

  private static String coreText() {
    String cores = Integer.toString(Runtime.getRuntime().availableProcessors());
    return field("/proc/cpuinfo", "model name").map(name -> cores + ", " + name).orElse(cores);
  }

  private static String memoryText() {
    return field("/proc/meminfo", "MemTotal")
        .map(text -> text.replaceAll("[^0-9]", ""))
        .filter(digits -> !digits.isEmpty())
        .map(digits -> "%.0f GiB".formatted(Long.parseLong(digits) / KIB_PER_GIB))
        .orElse("unknown");
  }

  private static String loadText() {
    return lines("/proc/loadavg").stream()
        .findFirst()
        .map(line -> line.replaceAll(" .*", "") + " (average over a minute; 0 is an idle machine)")
        .orElse("unknown");
  }

  /** Returns the type of the file system; figures of one in memory mean nothing. */
  static String fileSystem(Path disk) {
    try {
      return Files.getFileStore(disk).type();
    } catch (IOException _) {
      return "unknown";
    }
  }

  private static Optional<String> field(String file, String name) {
    return lines(file).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return List.of();
    }
  }
}
