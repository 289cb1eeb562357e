package dev.caliber.gates;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
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
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file as javac parses it: no types, but every literal, annotation and line. */
record JavaSource(String path, String text, CompilationUnitTree unit, Trees trees) {

  /**
   * All Java files in the given directories of a repository; directories that do not exist are
   * empty.
   */
  static List<JavaSource> under(Path root, List<Path> directories) {
    var files =
        directories.stream()
            .map(root::resolve)
            .filter(Files::exists)
            .flatMap(Repository::walk)
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

  /** Returns a sample that exists in memory only. */
  static List<JavaSource> sample(String path, String text) {
    var file =
        new SimpleJavaFileObject(URI.create("memory:///" + path), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    return parse(List.of(file), name -> name.substring(1));
  }

  private static List<JavaSource> parse(
      Iterable<? extends JavaFileObject> files, UnaryOperator<String> path) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
    var trees = Trees.instance(task);
    var sources = new ArrayList<JavaSource>();
    try {
      for (var unit : task.parse()) {
        var text = unit.getSourceFile().getCharContent(true).toString();
        sources.add(new JavaSource(path.apply(unit.getSourceFile().getName()), text, unit, trees));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(sources);
  }

  int firstLine(Tree tree) {
    return line(trees.getSourcePositions().getStartPosition(unit, tree));
  }

  int lastLine(Tree tree) {
    return line(trees.getSourcePositions().getEndPosition(unit, tree));
  }

  String textOf(Tree tree) {
    return text.substring(
        (int) trees.getSourcePositions().getStartPosition(unit, tree),
        (int) trees.getSourcePositions().getEndPosition(unit, tree));
  }

  /** Returns the text of the Javadoc comment of a declaration; empty if it has none. */
  String documentation(Tree tree) {
    return Objects.requireNonNullElse(trees.getDocComment(TreePath.getPath(unit, tree)), "");
  }

  GateFinding finding(Tree tree, String what) {
    return new GateFinding(path + ":" + firstLine(tree), what);
  }

  int lines() {
    return (int) text.lines().count();
  }

  /** Returns the path of the package's files, without the file's name. */
  String directory() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  static Stream<String> directories(List<JavaSource> sources) {
    return sources.stream().map(JavaSource::directory).distinct().sorted();
  }

  private int line(long position) {
    return position < 0 ? 1 : (int) unit.getLineMap().getLineNumber(position);
  }
}
