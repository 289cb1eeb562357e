package dev.caliber.gates;

import com.sun.source.tree.NewClassTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Errors have a code and a type (STYLE rule 16). What a caller did wrong against the Javadoc may be
 * an {@code IllegalArgumentException} or {@code IllegalStateException}: these never reach a user,
 * and they must say what was wrong.
 */
final class GenericExceptions {
  private static final Set<String> FORBIDDEN =
      Set.of("Throwable", "Exception", "RuntimeException", "Error");
  private static final Set<String> FOR_PROGRAMMERS =
      Set.of("IllegalArgumentException", "IllegalStateException", "UnsupportedOperationException");

  private GenericExceptions() {}

  static List<Finding> findings(List<Source> sources) {
    var findings = new ArrayList<Finding>();
    for (var source : sources) {
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitNewClass(NewClassTree tree, Void unused) {
          var type = tree.getIdentifier().toString().replace("java.lang.", "");
          if (FORBIDDEN.contains(type)) {
            findings.add(
                source.finding(
                    tree, "makes a bare " + type + ": use a coded exception of the room"));
          } else if (FOR_PROGRAMMERS.contains(type) && tree.getArguments().isEmpty()) {
            findings.add(
                source.finding(
                    tree, type + " without a message: say what was wanted and what was found"));
          }
          return super.visitNewClass(tree, null);
        }
      }.scan(source.unit(), null);
    }
    return List.copyOf(findings);
  }
}
