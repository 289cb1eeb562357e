package dev.caliber.gates;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.util.TreePathScanner;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Requirements named by tests: ids at the start of {@code @DisplayName} or jqwik's {@code @Label},
 * as in "STO-15, STO-19: …". Read from sources, so that tests excluded from this run still count as
 * written.
 */
final class RequirementTests {
  private static final Pattern IDS =
      Pattern.compile("^((?:[A-Z]{1,5}-\\d{2})(?:, ?[A-Z]{1,5}-\\d{2})*)\\b");
  private static final Pattern NAMES = Pattern.compile("(.*\\.)?(DisplayName|Label)");

  private RequirementTests() {}

  static NavigableMap<String, NavigableSet<String>> testsByRequirement(List<JavaSource> sources) {
    var tests = new TreeMap<String, NavigableSet<String>>();
    sources.forEach(javaSource -> new TestNameScanner(tests).scan(javaSource.unit(), null));
    return tests;
  }

  private static final class TestNameScanner extends TreePathScanner<Void, Void> {
    private final NavigableMap<String, NavigableSet<String>> tests;

    TestNameScanner(NavigableMap<String, NavigableSet<String>> tests) {
      this.tests = tests;
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Void unused) {
      if (NAMES.matcher(annotation.getAnnotationType().toString()).matches()
          && getCurrentPath().getParentPath().getLeaf() instanceof ModifiersTree) {
        annotation.getArguments().forEach(argument -> record(text(argument)));
      }
      return super.visitAnnotation(annotation, null);
    }

    private void record(String name) {
      var ids = IDS.matcher(name);
      if (ids.find()) {
        for (var id : ids.group(1).split(", ?", -1)) {
          tests.computeIfAbsent(id, _ -> new TreeSet<>()).add(testLocation());
        }
      }
    }

    /** Returns "Outer.Inner#method", or the class alone if the class is named. */
    private String testLocation() {
      var types = new StringBuilder();
      var method = "";
      for (var tree : getCurrentPath()) {
        if (tree instanceof MethodTree declared && types.isEmpty()) {
          method = "#" + declared.getName();
        } else if (tree instanceof ClassTree type) {
          types.insert(0, type.getSimpleName() + (types.isEmpty() ? "" : "."));
        }
      }
      return types + method;
    }

    private static String text(ExpressionTree expression) {
      return switch (expression) {
        case AssignmentTree assignment -> text(assignment.getExpression());
        case BinaryTree sum -> text(sum.getLeftOperand()) + text(sum.getRightOperand());
        case LiteralTree literal -> String.valueOf(literal.getValue());
        default -> "";
      };
    }
  }
}
