package dev.caliber.lang.pack.manifest;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Reads the files below a directory. It follows no link and opens only plain files, so that no pipe
 * or device can block it; the bounds are checked while reading.
 */
final class PackDirectoryReader {
  /** Files of version control and editors, which are not part of the pack. */
  private static final Set<String> IGNORED = Set.of(".git", ".hg", ".svn", ".DS_Store");

  private final Path root;
  private final Map<String, byte[]> files = new HashMap<>();
  private long bytes;
  private long directories;

  private PackDirectoryReader(Path root) {
    this.root = root;
  }

  /** Returns the files by their paths; the directory itself may be named by a link. */
  static Map<String, byte[]> read(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw PackException.notFound(directory.toString());
    }
    try {
      return new PackDirectoryReader(directory.toRealPath()).read();
    } catch (IOException e) {
      throw PackException.unreadable(directory.toString(), e);
    }
  }

  private Map<String, byte[]> read() throws IOException {
    Files.walkFileTree(root, Set.of(), PackBounds.DEPTH + 1, new PackFileVisitor());
    return files;
  }

  private final class PackFileVisitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (++directories > PackBounds.FILES.max()) {
        throw PackException.tooLarge(PackBounds.FILES, relative(directory));
      }
      return isIgnored(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!isIgnored(file)) {
        addFile(file, relative(file), attributes);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      throw PackException.unreadable(relative(file), e);
    }
  }

  private boolean isIgnored(Path path) {
    var name = path.getFileName();
    return !path.equals(root) && name != null && IGNORED.contains(name.toString());
  }

  private void addFile(Path file, String path, BasicFileAttributes attributes) {
    PackPath.findFault(path)
        .ifPresent(
            fault -> {
              throw PackException.pathRefused(path, fault);
            });
    if (!attributes.isRegularFile()) {
      throw PackException.fileRefused(path, describeFile(attributes));
    }
    if (files.size() >= PackBounds.FILES.max()) {
      throw PackException.tooLarge(PackBounds.FILES, path);
    }
    files.put(path, readContent(file, path));
  }

  /** Reads at most one byte more than is allowed, however long the file has become. */
  private byte[] readContent(Path file, String path) {
    try (var in = Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = in.readNBytes(Math.toIntExact(PackBounds.FILE.max() + 1));
      bytes += content.length;
      if (content.length > PackBounds.FILE.max()) {
        throw PackException.tooLarge(PackBounds.FILE, path);
      }
      if (bytes > PackBounds.BYTES.max()) {
        throw PackException.tooLarge(PackBounds.BYTES, path);
      }
      return content;
    } catch (IOException e) {
      throw PackException.unreadable(path, e);
    }
  }

  private static String describeFile(BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return "a link";
    }
    return attributes.isDirectory() ? "directories nested too deep" : "a device or a pipe";
  }

  private String relative(Path file) {
    return StreamSupport.stream(root.relativize(file).spliterator(), false)
        .map(Path::toString)
        .collect(Collectors.joining("/"));
  }
}
