import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes one runnable jar of a program and the jars that its manifest names, which are beside it:
 * {@code java OneJar.java MAIN.jar OUT.jar LEVEL}, with the level of compression. Services of one
 * kind are merged, licences are kept per jar, and two jars with different files of one name are
 * refused, because only one of them could be found. The same jars give the same bytes. Why it is
 * not a plugin: docs/decisions/0065-jar-and-start-time.md
 */
public final class OneJar {
  private static final String MANIFEST = JarFile.MANIFEST_NAME;
  private static final String SERVICES = "META-INF/services/";
  private static final int CLASH = 65;

  /** Time of every entry; the earliest time of the format would depend on the time zone. */
  private static final LocalDateTime SAME_TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  /** Files that mean nothing in another jar: manifests, indexes, modules, signatures. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|INDEX\\.LIST|[^/]*\\.(SF|RSA|DSA|EC))"
              + "|(META-INF/versions/\\d+/)?(module-info\\.class|OSGI-INF/MANIFEST\\.MF)"
              + "|.*/");

  private static final Pattern LICENCE =
      Pattern.compile("(META-INF/)?[^/]*(LICEN[CS]E|NOTICE|COPYRIGHT|DEPENDENCIES)[^/]*");

  private final Map<String, Long> checksums = new HashMap<>();
  private final Map<String, Set<String>> services = new TreeMap<>();
  private final List<String> clashes = new ArrayList<>();
  private final ZipOutputStream out;

  private OneJar(OutputStream out, int level) {
    this.out = new ZipOutputStream(out);
    this.out.setLevel(level);
  }

  public static void main(String[] args) throws IOException {
    List<String> clashes = make(Path.of(args[0]), Path.of(args[1]), Integer.parseInt(args[2]));
    if (!clashes.isEmpty()) {
      System.err.println("Different files with the same name:\n  " + String.join("\n  ", clashes));
      System.exit(CLASH);
    }
  }

  /** Makes the jar; returns clashing files, and then leaves an existing jar unchanged. */
  private static List<String> make(Path main, Path target, int level) throws IOException {
    Path draft = target.resolveSibling(target.getFileName() + ".partial");
    try {
      List<String> clashes;
      try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(draft))) {
        clashes = new OneJar(file, level).write(main, library(main));
      }
      if (clashes.isEmpty()) {
        Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
      }
      return clashes;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Returns the jars that the manifest names; other jars beside it belong to another build. */
  private static List<Path> library(Path main) throws IOException {
    try (JarFile jar = new JarFile(main.toFile())) {
      String named = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return Stream.of(named == null ? new String[0] : named.strip().split("\\s+"))
          .sorted()
          .map(main::resolveSibling)
          .toList();
    }
  }

  /** Writes the jar; returns clashing files. */
  private List<String> write(Path main, List<Path> library) throws IOException {
    begin(MANIFEST);
    manifest(main).write(out);
    copy(main);
    for (Path jar : library) {
      copy(jar);
    }
    for (Map.Entry<String, Set<String>> service : services.entrySet()) {
      begin(service.getKey());
      out.write((String.join("\n", service.getValue()) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    out.finish();
    return clashes;
  }

  /** Returns the program's own manifest, without the class path, which is now inside. */
  private static Manifest manifest(Path main) throws IOException {
    try (JarFile jar = new JarFile(main.toFile())) {
      Manifest manifest = new Manifest(jar.getManifest());
      manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
      manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
      return manifest;
    }
  }

  private void copy(Path file) throws IOException {
    try (ZipFile jar = new ZipFile(file.toFile())) {
      Enumeration<? extends ZipEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (!LEFT_OUT.matcher(entry.getName()).matches()) {
          try (InputStream content = jar.getInputStream(entry)) {
            copy(file.getFileName().toString(), entry, content);
          }
        }
      }
    }
  }

  private void copy(String jar, ZipEntry entry, InputStream content) throws IOException {
    String name = entry.getName();
    if (name.startsWith(SERVICES)) {
      new String(content.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .forEach(services.computeIfAbsent(name, _ -> new LinkedHashSet<>())::add);
      return;
    }
    String place =
        LICENCE.matcher(name).matches()
            ? "META-INF/licences/%s/%s".formatted(jar, name.substring(name.lastIndexOf('/') + 1))
            : name;
    Long before = checksums.putIfAbsent(place, entry.getCrc());
    if (before == null) {
      begin(place);
      content.transferTo(out);
    } else if (before != entry.getCrc()) {
      clashes.add("%s of %s".formatted(place, jar));
    }
  }

  private void begin(String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(SAME_TIME);
    out.putNextEntry(entry);
  }
}
