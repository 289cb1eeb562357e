package dev.caliber.gates;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * STYLE rule 22: most files and methods are short, and none is long. A method's lines run from its
 * opening brace to its closing one, because how a signature wraps is the formatter's affair.
 * Percentiles are over the product; the tools' contracts and workloads are tests, which tell a
 * story each and only have to stay under the caps. They say nothing about a handful of files.
 */
final class SizeBudget {
  private static final Budget FILE = new Budget("file", 120, 400, 800);
  private static final Budget METHOD = new Budget("method", 5, 25, 60);
  private static final int PARAMETERS = 6;
  private static final int ENOUGH = 20;
  private static final Pattern OPEN_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  private record Budget(String what, int median, int ninetieth, int cap) {}

  private SizeBudget() {}

  /** Files in {@code exempt} may be longer than the cap; their methods may not. */
  static List<Finding> findings(List<Source> sources, Set<String> exempt) {
    var findings = new ArrayList<Finding>();
    var files = new ArrayList<Integer>();
    var methods = new ArrayList<Integer>();
    for (var source : sources) {
      boolean tool =
          House.TOOLS.stream().anyMatch(module -> source.path().startsWith(module + "/"));
      if (!tool) {
        files.add(source.lines());
      }
      if (source.lines() > FILE.cap() && !exempt.contains(source.path())) {
        findings.add(
            new Finding(
                source.path(),
                over("file", source.lines(), FILE.cap())
                    + " (or name it in .build/long-files.txt)"));
      }
      if (OPEN_END.matcher(source.text()).find()) {
        findings.add(
            new Finding(source.path(), "has an open end (TODO, FIXME): open an issue instead"));
      }
      scan(source, tool ? new ArrayList<>() : methods, findings);
    }
    percentiles(FILE, files, findings);
    percentiles(METHOD, methods, findings);
    return List.copyOf(findings);
  }

  private static void scan(Source source, List<Integer> lengths, List<Finding> findings) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        if (method.getParameters().size() > PARAMETERS && !isRecordConstructor(method)) {
          findings.add(
              source.finding(
                  method, over("parameters", method.getParameters().size(), PARAMETERS)));
        }
        if (method.getBody() != null) {
          int lines = length(source, method.getBody());
          lengths.add(lines);
          if (lines > METHOD.cap()) {
            findings.add(
                source.finding(method, over("method " + method.getName(), lines, METHOD.cap())));
          }
        }
        return super.visitMethod(method, null);
      }

      private boolean isRecordConstructor(MethodTree method) {
        return method.getReturnType() == null
            && getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type
            && type.getKind() == Tree.Kind.RECORD;
      }
    }.scan(source.unit(), null);
  }

  private static int length(Source source, BlockTree body) {
    return source.lastLine(body) - source.firstLine(body) + 1;
  }

  private static void percentiles(Budget budget, List<Integer> lengths, List<Finding> findings) {
    if (lengths.size() < ENOUGH) {
      return;
    }
    var sorted = lengths.stream().sorted().toList();
    int median = sorted.get(sorted.size() / 2);
    int ninetieth = sorted.get(sorted.size() * 9 / 10);
    if (median > budget.median()) {
      findings.add(new Finding("house", over(budget.what() + " p50", median, budget.median())));
    }
    if (ninetieth > budget.ninetieth()) {
      findings.add(
          new Finding("house", over(budget.what() + " p90", ninetieth, budget.ninetieth())));
    }
  }

  private static String over(String what, int found, int allowed) {
    return what + ": " + found + ", at most " + allowed;
  }
}
