package dev.caliber.gates;

import com.sun.source.tree.NewClassTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Gate on exceptions: errors have a code and a type (STYLE rule 16). A caller's violation of the
 * Javadoc may be an {@code IllegalArgumentException} or {@code IllegalStateException}: these never
 * reach a user, and need a message.
 */
final class GenericExceptions {
  private static final Set<String> FORBIDDEN =
      Set.of("Throwable", "Exception", "RuntimeException", "Error");
  private static final Set<String> FOR_PROGRAMMERS =
      Set.of("IllegalArgumentException", "IllegalStateException", "UnsupportedOperationException");

  private GenericExceptions() {}

  static List<GateFinding> findings(List<JavaSource> sources) {
    var findings = new ArrayList<GateFinding>();
    for (var javaSource : sources) {
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitNewClass(NewClassTree tree, Void unused) {
          var type = tree.getIdentifier().toString().replace("java.lang.", "");
          if (FORBIDDEN.contains(type)) {
            findings.add(
                javaSource.finding(
                    tree, "makes a bare " + type + ": use a coded exception of the module"));
          } else if (FOR_PROGRAMMERS.contains(type) && tree.getArguments().isEmpty()) {
            findings.add(
                javaSource.finding(
                    tree, type + " without a message: say what was expected and what was found"));
          }
          return super.visitNewClass(tree, null);
        }
      }.scan(javaSource.unit(), null);
    }
    return List.copyOf(findings);
  }
}
