package dev.caliber.gates;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gate on sizes (STYLE rule 22): most files and methods are short, none is long, and no package has
 * many files. A method's lines are counted from its opening brace to its closing one, because the
 * formatter wraps signatures. Percentiles are over the product; the contracts and workloads of
 * tools are tests, which only have to stay under the caps. Percentiles of a handful of files mean
 * nothing. There is no median: a gate on it breeds methods of one line that need names.
 */
final class SizeBudget {
  private static final LengthLimits FILE = new LengthLimits("file", 400, 800);
  private static final LengthLimits METHOD = new LengthLimits("method", 25, 60);
  private static final int PARAMETERS = 8;
  private static final int PACKAGE = 50;
  private static final int ENOUGH = 20;
  private static final Pattern OPEN_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  private record LengthLimits(String what, int ninetieth, int cap) {}

  private SizeBudget() {}

  /** Returns findings; files in {@code exempt} may be longer than the cap. */
  static List<GateFinding> findings(List<JavaSource> sources, Set<String> exempt) {
    var findings = new ArrayList<GateFinding>();
    var files = new ArrayList<Integer>();
    var methods = new ArrayList<Integer>();
    for (var javaSource : sources) {
      boolean tool =
          Repository.TOOLS.stream().anyMatch(module -> javaSource.path().startsWith(module + "/"));
      if (!tool) {
        files.add(javaSource.lines());
      }
      if (javaSource.lines() > FILE.cap() && !exempt.contains(javaSource.path())) {
        findings.add(
            new GateFinding(
                javaSource.path(),
                excessText("file", javaSource.lines(), FILE.cap())
                    + " (or name it in .build/long-files.txt)"));
      }
      if (OPEN_END.matcher(javaSource.text()).find()) {
        findings.add(
            new GateFinding(
                javaSource.path(), "has an open end (TODO, FIXME): open an issue instead"));
      }
      scan(javaSource, tool ? new ArrayList<>() : methods, findings);
    }
    largePackages(sources, findings);
    ninetieth(FILE, files, findings);
    ninetieth(METHOD, methods, findings);
    return List.copyOf(findings);
  }

  private static void scan(
      JavaSource javaSource, List<Integer> lengths, List<GateFinding> findings) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        if (method.getParameters().size() > PARAMETERS && !isRecordConstructor(method)) {
          findings.add(
              javaSource.finding(
                  method, excessText("parameters", method.getParameters().size(), PARAMETERS)));
        }
        if (method.getBody() != null) {
          int lines = length(javaSource, method.getBody());
          lengths.add(lines);
          if (lines > METHOD.cap()) {
            findings.add(
                javaSource.finding(
                    method, excessText("method " + method.getName(), lines, METHOD.cap())));
          }
        }
        return super.visitMethod(method, null);
      }

      private boolean isRecordConstructor(MethodTree method) {
        return method.getReturnType() == null
            && getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type
            && type.getKind() == Tree.Kind.RECORD;
      }
    }.scan(javaSource.unit(), null);
  }

  private static void largePackages(List<JavaSource> sources, List<GateFinding> findings) {
    sources.stream()
        .filter(source -> !source.path().endsWith("package-info.java"))
        .collect(Collectors.groupingBy(SizeBudget::directory, TreeMap::new, Collectors.counting()))
        .forEach(
            (directory, files) -> {
              if (files > PACKAGE) {
                findings.add(
                    new GateFinding(directory, excessText("files", files.intValue(), PACKAGE)));
              }
            });
  }

  private static String directory(JavaSource source) {
    return source.path().substring(0, source.path().lastIndexOf('/'));
  }

  private static int length(JavaSource javaSource, BlockTree body) {
    return javaSource.lastLine(body) - javaSource.firstLine(body) + 1;
  }

  private static void ninetieth(
      LengthLimits lengthLimits, List<Integer> lengths, List<GateFinding> findings) {
    if (lengths.size() < ENOUGH) {
      return;
    }
    var sorted = lengths.stream().sorted().toList();
    int ninetieth = sorted.get(sorted.size() * 9 / 10);
    if (ninetieth > lengthLimits.ninetieth()) {
      findings.add(
          new GateFinding(
              "all files",
              excessText(lengthLimits.what() + " p90", ninetieth, lengthLimits.ninetieth())));
    }
  }

  private static String excessText(String what, int found, int allowed) {
    return what + ": " + found + ", at most " + allowed;
  }
}
