package dev.caliber.gates;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * Gate on behavioural values: they are configuration; code holds bounds, never defaults. The rule
 * and its reasons: docs/decisions/0008-no-defaults-in-code.md.
 */
final class BehaviouralLiterals {
  /*
   * A number in code is one of three things. Structure (a bit mask, an array index, a column's
   * position) needs no name; nor does a number in hexadecimal, which is never a choice. A fact (the
   * bytes of an id, the seconds of a minute) needs a name: a static final field. A choice (a
   * timeout, a weight, a pool's size) belongs to configuration, and only the bound of a setting is
   * code: @SettingRange, *_BOUND, or a class whose name ends in Bounds. Formats never change, so classes ending in
   * Format or FormatV1 are exempt too, and so are the files named in .build/unnamed-numbers.txt: a
   * choice there would have to hide among positions, which a reviewer checks.
   */
  private static final String ADVICE = ": read it from configuration, or name it a *_BOUND";
  private static final Set<Double> FREE = Set.of(-1.0, 0.0, 1.0, 2.0);
  private static final Pattern BOUND_NAME = Pattern.compile("([A-Z0-9_]+_)?BOUND");
  private static final Pattern BOUND_CLASS = Pattern.compile("\\w*(Bounds|Format(V\\d+)?)");
  private static final Pattern CHOICE =
      Pattern.compile(
          "(.*_)?(TIMEOUT|DEADLINE|INTERVAL|PERIOD|DELAY|BACKOFF|RETRY|RETRIES|ATTEMPTS?|POOL|THREADS|WORKERS|PERMITS"
              + "|CONNECTIONS|QUEUE|BATCH|THRESHOLD|WEIGHT|BUDGET|TTL|RETENTION|CAPACITY|LEASE|CACHE|DEFAULT)(_.*)?");
  private static final Pattern DURATION =
      Pattern.compile("(java\\.time\\.)?Duration\\.(of\\w*|parse)");
  private static final Pattern POSITION = Pattern.compile("(.*\\.)?(get|set|update|register)\\w*");
  private static final Pattern BINDING = Pattern.compile("(.*\\.)?bind\\w*");
  private static final Set<Tree.Kind> BITS =
      EnumSet.of(
          Tree.Kind.AND,
          Tree.Kind.OR,
          Tree.Kind.XOR,
          Tree.Kind.LEFT_SHIFT,
          Tree.Kind.RIGHT_SHIFT,
          Tree.Kind.UNSIGNED_RIGHT_SHIFT,
          Tree.Kind.AND_ASSIGNMENT,
          Tree.Kind.OR_ASSIGNMENT,
          Tree.Kind.XOR_ASSIGNMENT,
          Tree.Kind.LEFT_SHIFT_ASSIGNMENT,
          Tree.Kind.RIGHT_SHIFT_ASSIGNMENT,
          Tree.Kind.UNSIGNED_RIGHT_SHIFT_ASSIGNMENT);

  private BehaviouralLiterals() {}

  /**
   * Returns findings; files in {@code formats} may hold numbers without a name, but no choice of
   * time and no constant named like a choice.
   */
  static List<GateFinding> findings(List<JavaSource> sources, Set<String> formats) {
    var findings = new ArrayList<GateFinding>();
    sources.forEach(
        javaSource ->
            new LiteralScanner(javaSource, formats.contains(javaSource.path()), findings)
                .scan(javaSource.unit(), null));
    return List.copyOf(findings);
  }

  private static final class LiteralScanner extends TreePathScanner<Void, Void> {
    private final JavaSource javaSource;
    private final boolean format;
    private final List<GateFinding> findings;

    LiteralScanner(JavaSource javaSource, boolean format, List<GateFinding> findings) {
      this.javaSource = javaSource;
      this.format = format;
      this.findings = findings;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void unused) {
      if (literal.getValue() instanceof Number number
          && !FREE.contains(number.doubleValue())
          && !insideBounds()) {
        var constant = constant();
        if (constant.isEmpty()) {
          if (!format && !isStructure()) {
            findings.add(
                javaSource.finding(
                    literal,
                    "number "
                        + literal
                        + " has no name: a fact is a static final field, a choice is configuration"));
          }
        } else if (CHOICE.matcher(constant.get().getName()).matches() && !isBound(constant.get())) {
          findings.add(
              javaSource.finding(
                  literal, constant.get().getName() + " looks like a choice" + ADVICE));
        }
      }
      return super.visitLiteral(literal, null);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
      if (isDuration(call)
          && !insideBounds()
          && constant().filter(LiteralScanner::isBound).isEmpty()) {
        findings.add(javaSource.finding(call, call + " is a choice of time" + ADVICE));
        return null;
      }
      return super.visitMethodInvocation(call, null);
    }

    private static boolean isDuration(MethodInvocationTree call) {
      String method = call.getMethodSelect().toString();
      if (method.equals("Durations.parse")) {
        return call.getArguments().stream().allMatch(LiteralTree.class::isInstance);
      }
      return DURATION.matcher(method).matches()
          && call.getArguments().stream().anyMatch(LiteralTree.class::isInstance);
    }

    private Optional<VariableTree> constant() {
      for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
        if (path.getLeaf() instanceof VariableTree field
            && isConstant(field, path.getParentPath().getLeaf())) {
          return Optional.of(field);
        }
      }
      return Optional.empty();
    }

    private static boolean isConstant(VariableTree field, Tree owner) {
      return owner instanceof ClassTree type
          && (type.getKind() == Tree.Kind.INTERFACE
              || field
                  .getModifiers()
                  .getFlags()
                  .containsAll(Set.of(Modifier.STATIC, Modifier.FINAL)));
    }

    private static boolean isBound(VariableTree field) {
      return BOUND_NAME.matcher(field.getName()).matches();
    }

    private boolean insideBounds() {
      for (var tree : getCurrentPath()) {
        if (tree instanceof ClassTree type && BOUND_CLASS.matcher(type.getSimpleName()).matches()) {
          return true;
        }
      }
      return false;
    }

    /** Returns whether the number is part of the syntax or a position, not of behaviour. */
    private boolean isStructure() {
      var path = getCurrentPath().getParentPath();
      while (path.getLeaf().getKind() == Tree.Kind.UNARY_MINUS
          || path.getLeaf() instanceof ParenthesizedTree) {
        path = path.getParentPath();
      }
      var parent = path.getLeaf();
      return javaSource.textOf(getCurrentPath().getLeaf()).matches("-?0[xXbB].*")
          || BITS.contains(parent.getKind())
          || parent instanceof ArrayAccessTree
          || (parent instanceof MethodInvocationTree call && isPosition(call))
          || isInAnnotationOrHashCode();
    }

    private boolean isPosition(MethodInvocationTree call) {
      if (BINDING.matcher(call.getMethodSelect().toString()).matches()) {
        return true;
      }
      return call.getArguments().getFirst().equals(getCurrentPath().getLeaf())
          && POSITION.matcher(call.getMethodSelect().toString()).matches();
    }

    private boolean isInAnnotationOrHashCode() {
      for (var tree : getCurrentPath()) {
        if (tree instanceof AnnotationTree
            || (tree instanceof MethodTree method && method.getName().contentEquals("hashCode"))) {
          return true;
        }
      }
      return false;
    }
  }
}
