package dev.caliber.gates;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Gate on skipped tests: a green run means that every test ran. So no test may switch itself off;
 * one that needs more than a JDK carries a tag, and {@code ./verify} reports every excluded tag.
 * jqwik's {@code Assume.that} is no skip: it drops one case of many.
 */
final class SkippedTests {
  private static final Pattern ANNOTATION =
      Pattern.compile("(.*\\.)?(Ignore|(Disabled|Enabled)(If|On|For)?\\w*)");
  private static final Pattern CALL =
      Pattern.compile(
          "(.*\\.)?(assumeTrue|assumeFalse|assumeThat|assumingThat)|(.*\\.)?Assumptions\\.\\w+");

  private SkippedTests() {}

  static List<GateFinding> findings(List<JavaSource> sources) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitAnnotation(AnnotationTree tree, Void unused) {
          if (ANNOTATION.matcher(tree.getAnnotationType().toString()).matches()) {
            findings.add(
                javaSource.finding(tree, "can switch a test off: @" + tree.getAnnotationType()));
          }
          return super.visitAnnotation(tree, null);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
          if (CALL.matcher(tree.getMethodSelect().toString()).matches()) {
            findings.add(javaSource.finding(tree, "can skip a test: " + tree.getMethodSelect()));
          }
          return super.visitMethodInvocation(tree, null);
        }
      }.scan(javaSource.unit(), null);
    }
    return List.copyOf(findings);
  }
}
