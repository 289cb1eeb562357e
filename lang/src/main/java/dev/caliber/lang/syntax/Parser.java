package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parses a source into a tree. Every source gives a tree: errors are reported and left out, and the
 * rest is parsed as if they were absent.
 */
public final class Parser {
  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;
  private final MemoryParser memories;
  private final PolicyParser policies;
  private final AdapterParser adapters;
  private final InjectionParser injections;
  private final List<Definition> definitions = new ArrayList<>();
  private final Set<Span> damaged = new HashSet<>();
  private boolean lost;

  private Parser(TokenCursor cursor) {
    this.cursor = cursor;
    this.words = new ValueParser(cursor);
    this.blocks = new BlockParser(cursor);
    this.memories = new MemoryParser(cursor, words, blocks);
    this.policies = new PolicyParser(cursor, words, blocks);
    this.adapters = new AdapterParser(cursor, words, blocks);
    this.injections = new InjectionParser(cursor, words, blocks);
  }

  public static ParsedSource parse(String source, Diagnostics diagnostics) {
    if (source.length() > SyntaxBounds.SOURCE) {
      diagnostics.report(
          DiagnosticCode.SOURCE_TOO_LARGE,
          NodeOrigin.NONE.span(),
          "a source of " + source.length() + " characters",
          "at most " + SyntaxBounds.SOURCE + " characters");
      return new ParsedSource(
          new Ast(TextNode.of(GrammarVersion.CURRENT), List.of(), NodeOrigin.NONE),
          List.of(),
          new ParseDamage(true, Set.of()));
    }
    var lexResult = new Lexer(source, diagnostics).lex();
    var parser = new Parser(new TokenCursor(lexResult.tokens(), diagnostics));
    var ast = parser.config();
    return new ParsedSource(
        ast, lexResult.comments(), new ParseDamage(parser.lost, parser.damaged));
  }

  private Ast config() {
    var first = cursor.peek();
    var version = header();
    definitions();
    var closing = cursor.peek();
    if (cursor.isAt(TokenKind.RIGHT_BRACE)) {
      cursor.next();
    } else {
      cursor.report(
          DiagnosticCode.UNCLOSED_BLOCK,
          closing.span(),
          "the '{' of the configuration is not closed",
          "write '}' at the end of the source");
    }
    var nodeOrigin = cursor.originSince(first);
    reportTrailing();
    return new Ast(version, definitions, nodeOrigin);
  }

  private TextNode header() {
    var start = new NodeOrigin(cursor.peek().span());
    try {
      cursor.expectWord(Keywords.CALIBER, "and a version first: caliber: \"0.1.0\" { … }");
      cursor.expect(TokenKind.COLON, "after caliber");
      var version = words.text("with the version of the grammar");
      cursor.expect(TokenKind.LEFT_BRACE, "after the version");
      return version;
    } catch (UnparsableException _) {
      while (!cursor.isAtEnd() && !cursor.isAtDefinition() && !cursor.isAt(TokenKind.RIGHT_BRACE)) {
        cursor.next();
      }
      return new TextNode(GrammarVersion.CURRENT, start);
    }
  }

  private void definitions() {
    while (!cursor.isAtEnd() && !cursor.isAt(TokenKind.RIGHT_BRACE)) {
      int start = cursor.position();
      int depth = cursor.depth();
      try {
        definitions.add(definition());
      } catch (UnparsableException _) {
        lost = true;
        blocks.takeDamage();
        skipToDefinition(depth, start);
      }
    }
  }

  private Definition definition() {
    var word = cursor.expectOneOf(Keywords.DEFINITIONS, "definition");
    var definition =
        switch (word.text()) {
          case Keywords.MEMORY -> {
            var nameNode = words.name("for the memory");
            yield new Definition.Memory(
                nameNode, memories.body(nameNode), cursor.originSince(word));
          }
          case Keywords.POLICY -> {
            var nameNode = words.name("for the policy");
            yield new Definition.Policy(
                nameNode, policies.body(nameNode), cursor.originSince(word));
          }
          case Keywords.ADAPTER -> {
            var nameNode = words.name("for the adapter");
            yield new Definition.Adapter(
                nameNode, adapters.body(nameNode), cursor.originSince(word));
          }
          default -> injection(word);
        };
    if (blocks.takeDamage()) {
      damaged.add(definition.span());
    }
    return definition;
  }

  private Definition injection(Token word) {
    var memory = words.name("of the memory to inject");
    cursor.expectWord(Keywords.INTO, "after " + memory.text());
    var target = words.name("of what it goes into");
    return new Definition.Injection(
        memory, target, injections.body(memory, target), cursor.originSince(word));
  }

  /** Skips at least the token that was not expected, so that the parser always advances. */
  private void skipToDefinition(int depth, int start) {
    while (!cursor.isAtEnd()) {
      boolean moved = cursor.position() > start;
      if (moved && (cursor.isAtDefinition() || cursor.depthAfter(cursor.peek()) < depth)) {
        break;
      }
      var token = cursor.next();
      if (token.is(TokenKind.RIGHT_BRACE) && cursor.depth() == depth) {
        break;
      }
    }
    cursor.unwindTo(depth);
  }

  /** Reports text after the configuration once; definitions in it are still parsed. */
  private void reportTrailing() {
    if (!cursor.isAtEnd()) {
      cursor.report(
          DiagnosticCode.TRAILING_INPUT,
          cursor.peek().span(),
          cursor.peek().describe() + " follows the end of the configuration",
          "remove this text, or remove a '}' that stands before it");
    }
    while (!cursor.isAtEnd()) {
      while (!cursor.isAtEnd() && !cursor.isAtDefinition()) {
        cursor.next();
      }
      if (!cursor.isAtEnd()) {
        definitions();
      }
    }
  }
}
