package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.CriteriaNode;
import dev.caliber.lang.ast.DurationNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.LifecycleNode;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.ast.TypeNode;
import dev.caliber.lang.ast.ValueNode;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Prints the parts of a tree that stay on one line. */
final class InlinePrinter {
  private static final String ESCAPED = "\"\\\b\f\n\r\t";
  private static final String ESCAPES = "\"\\bfnrt";

  private InlinePrinter() {}

  static <T> String join(List<T> parts, Function<T, String> text) {
    return parts.stream().map(text).collect(Collectors.joining(", "));
  }

  static String quote(TextNode textNode) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < textNode.value().length(); i++) {
      char character = textNode.value().charAt(i);
      int escape = ESCAPED.indexOf(character);
      if (escape >= 0) {
        quoted.append('\\').append(ESCAPES.charAt(escape));
      } else if (Character.isISOControl(character)) {
        quoted.append("\\u%04x".formatted((int) character));
      } else {
        quoted.append(character);
      }
    }
    return quoted.append('"').toString();
  }

  static String number(NumberNode number) {
    return number.value().toPlainString();
  }

  static String type(TypeNode type) {
    return switch (type) {
      case TypeNode.Plain(var primitiveType, _) -> Keywords.word(primitiveType);
      case TypeNode.Enumeration(var values, _) ->
          "enum(" + join(values, InlinePrinter::quote) + ")";
    };
  }

  static String retention(RetentionNode retention) {
    return switch (retention) {
      case RetentionNode.Persistent _ -> "persistent";
      case RetentionNode.SessionRetentionNode _ -> "session";
      case RetentionNode.ScopeRetentionNode _ -> "scope";
      case RetentionNode.For(var duration, _) -> duration.text();
      case RetentionNode.Max(var count, _) -> "max(" + number(count) + ")";
      case RetentionNode.CompressOn(var trigger, _) -> "compress_on: " + trigger(trigger);
    };
  }

  static String lifecycle(LifecycleNode lifecycle) {
    return switch (lifecycle) {
      case LifecycleNode.Explicit _ -> "explicit";
      case LifecycleNode.AutoClose(var trigger, _) -> "auto_close(" + trigger(trigger) + ")";
    };
  }

  static String trigger(TriggerNode trigger) {
    return switch (trigger) {
      case TriggerNode.On(var trajectoryTriggerEvent, _) -> Keywords.word(trajectoryTriggerEvent);
      case TriggerNode.Schedule(var cron, _) -> "schedule(" + quote(cron) + ")";
    };
  }

  static String action(ActionNode action) {
    return switch (action) {
      case ActionNode.Summarize(var memory, _) -> "summarize(" + memory.text() + ")";
      case ActionNode.ExtractArtifacts(var memory, _) -> "extract_artifacts(" + memory.text() + ")";
      case ActionNode.Inject(var memory, var mode, _) ->
          "inject(" + memory.text() + ", " + mode(mode) + ")";
      case ActionNode.Prune(var memory, var criteria, _) ->
          "prune(" + memory.text() + ", " + criteria(criteria) + ")";
      case ActionNode.CheckpointActionNode(var memory, _) -> "checkpoint(" + memory.text() + ")";
      case ActionNode.Notify(var channel, _) -> "notify(" + quote(channel) + ")";
    };
  }

  static String mode(ModeNode mode) {
    return switch (mode) {
      case ModeNode.Full _ -> "full";
      case ModeNode.Summary _ -> "summary";
      case ModeNode.TopK(var count, _) -> "top_k(" + number(count) + ")";
      case ModeNode.Relevant(var threshold, _) -> "relevant(" + number(threshold) + ")";
    };
  }

  static String criteria(CriteriaNode criteria) {
    return switch (criteria) {
      case CriteriaNode.OlderThan(var age, _) -> "older_than(" + age.text() + ")";
      case CriteriaNode.BelowConfidence(var confidence, _) ->
          "below_confidence(" + number(confidence) + ")";
    };
  }

  static String filter(FilterNode filter) {
    return switch (filter) {
      case FilterNode.Or(var parts, _) ->
          parts.stream()
              .map(part -> part instanceof FilterNode.Or ? grouped(part) : filter(part))
              .collect(Collectors.joining(" or "));
      case FilterNode.And(var parts, _) ->
          parts.stream()
              .map(part -> part instanceof FilterNode.Comparison ? filter(part) : grouped(part))
              .collect(Collectors.joining(" and "));
      case FilterNode.Comparison(var field, var comparisonOperator, _, var value, _) ->
          field.text() + " " + comparisonOperator.symbol() + " " + value(value);
    };
  }

  private static String grouped(FilterNode filter) {
    return "(" + filter(filter) + ")";
  }

  private static String value(ValueNode value) {
    return switch (value) {
      case TextNode textNode -> quote(textNode);
      case NumberNode number -> number(number);
      case BooleanNode(var flag, _) -> Boolean.toString(flag);
      case DurationNode duration -> duration.text();
      case ValueNode.CurrentTime _ -> "now()";
      case ValueNode.CurrentTrajectory _ -> "current_trajectory";
      case ValueNode.Word(var nameNode, _) -> nameNode.text();
    };
  }

  static String json(JsonValueNode value) {
    return switch (value) {
      case TextNode textNode -> quote(textNode);
      case NumberNode number -> number(number);
      case BooleanNode(var flag, _) -> Boolean.toString(flag);
      case JsonValueNode.NullValue _ -> "null";
      case JsonValueNode.Items(var values, _) -> "[" + join(values, InlinePrinter::json) + "]";
      case JsonValueNode.Members(var members, _) ->
          members.isEmpty()
              ? "{}"
              : "{ " + join(members, m -> quote(m.key()) + ": " + json(m.value())) + " }";
    };
  }
}
