package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.CriteriaNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.RuleNode;
import java.util.List;

/** Parses the body of a policy. */
final class PolicyParser {
  private static final List<String> RULES = List.of(Keywords.ON);

  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;

  PolicyParser(TokenCursor cursor, ValueParser words, BlockParser blocks) {
    this.cursor = cursor;
    this.words = words;
    this.blocks = blocks;
  }

  List<RuleNode> body(NameNode nameNode) {
    return blocks.body("policy " + nameNode.text(), RULES, this::rule);
  }

  private RuleNode rule() {
    var first = cursor.expectOneOf(RULES, "part of a policy");
    var trigger = words.trigger();
    cursor.expect(TokenKind.COLON, "after the trigger");
    var actions =
        blocks.resilientEntries(
            TokenKind.LEFT_BRACKET,
            TokenKind.RIGHT_BRACKET,
            "an action",
            token ->
                token.is(TokenKind.IDENTIFIER) && cursor.peek(1).is(TokenKind.LEFT_PARENTHESIS),
            this::action);
    return new RuleNode(trigger, actions, cursor.originSince(first));
  }

  ActionNode action() {
    var word = cursor.expectOneOf(Keywords.ACTIONS, "action");
    words.open(word);
    if (word.is("notify")) {
      var channel = words.text("with the name of a channel");
      words.close(word);
      return new ActionNode.Notify(channel, cursor.originSince(word));
    }
    var memory = words.name("of a memory");
    return switch (word.text()) {
      case "summarize" -> {
        words.close(word);
        yield new ActionNode.Summarize(memory, cursor.originSince(word));
      }
      case "extract_artifacts" -> {
        words.close(word);
        yield new ActionNode.ExtractArtifacts(memory, cursor.originSince(word));
      }
      case "checkpoint" -> {
        words.close(word);
        yield new ActionNode.CheckpointActionNode(memory, cursor.originSince(word));
      }
      case Keywords.INJECT -> {
        cursor.expect(TokenKind.COMMA, "and a mode after " + memory.text());
        var mode = words.mode();
        words.close(word);
        yield new ActionNode.Inject(memory, mode, cursor.originSince(word));
      }
      default -> {
        cursor.expect(TokenKind.COMMA, "and what to prune after " + memory.text());
        var criteria = criteria();
        words.close(word);
        yield new ActionNode.Prune(memory, criteria, cursor.originSince(word));
      }
    };
  }

  private CriteriaNode criteria() {
    var word = cursor.expectOneOf(Keywords.CRITERIA, "criterion");
    if (word.is("below_confidence")) {
      return new CriteriaNode.BelowConfidence(words.argument(word), cursor.originSince(word));
    }
    words.open(word);
    var age = words.duration("in the parentheses of " + word.text());
    words.close(word);
    return new CriteriaNode.OlderThan(age, cursor.originSince(word));
  }
}
