package dev.caliber.gates;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file as javac parses it: no types, but every literal, annotation and line. */
record Source(String path, String text, CompilationUnitTree unit, SourcePositions positions) {

  /**
   * All Java files in the given directories of a repository; directories that do not exist are
   * empty.
   */
  static List<Source> under(Path root, List<Path> directories) {
    var files =
        directories.stream()
            .map(root::resolve)
            .filter(Files::exists)
            .flatMap(House::walk)
            .filter(file -> file.toString().endsWith(".java"))
            .toList();
    if (files.isEmpty()) {
      return List.of();
    }
    var manager =
        ToolProvider.getSystemJavaCompiler()
            .getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    return parse(
        manager.getJavaFileObjectsFromPaths(files),
        name -> root.relativize(Path.of(name)).toString());
  }

  /** A sample that exists in memory only. */
  static List<Source> sample(String path, String text) {
    var file =
        new SimpleJavaFileObject(URI.create("memory:///" + path), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    return parse(List.of(file), name -> name.substring(1));
  }

  private static List<Source> parse(
      Iterable<? extends JavaFileObject> files, UnaryOperator<String> path) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
    var positions = Trees.instance(task).getSourcePositions();
    var sources = new ArrayList<Source>();
    try {
      for (var unit : task.parse()) {
        var text = unit.getSourceFile().getCharContent(true).toString();
        sources.add(new Source(path.apply(unit.getSourceFile().getName()), text, unit, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(sources);
  }

  int firstLine(Tree tree) {
    return line(positions.getStartPosition(unit, tree));
  }

  int lastLine(Tree tree) {
    return line(positions.getEndPosition(unit, tree));
  }

  String textOf(Tree tree) {
    return text.substring(
        (int) positions.getStartPosition(unit, tree), (int) positions.getEndPosition(unit, tree));
  }

  Finding finding(Tree tree, String what) {
    return new Finding(path + ":" + firstLine(tree), what);
  }

  int lines() {
    return (int) text.lines().count();
  }

  /** Where the package's files are, as a path without the file's name. */
  String directory() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  static Stream<String> directories(List<Source> sources) {
    return sources.stream().map(Source::directory).distinct().sorted();
  }

  private int line(long position) {
    return position < 0 ? 1 : (int) unit.getLineMap().getLineNumber(position);
  }
}
