package dev.caliber.lang.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.Catalogues;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Trees;
import dev.caliber.lang.diagnostic.Diagnostics;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Laws of printing, tested on random trees. */
class DslTreeProperties {
  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-17: printing any tree and parsing it again gives an equal tree")
  void printedTreesParseToThemselves(@ForAll("asts") Ast ast) {
    String printed = Printer.print(ast);
    assertThat(parse(printed).ast()).isEqualTo(ast);
    assertThat(Printer.print(parse(printed).ast())).isEqualTo(printed);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-17: formatting what was printed changes nothing")
  void printingIsCanonical(@ForAll("asts") Ast ast) {
    String printed = Printer.print(ast);
    assertThat(Printer.format(printed, parse(printed))).isEqualTo(printed);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-17: comments inserted between the tokens survive formatting, which is stable")
  void commentsSurvive(@ForAll("asts") Ast ast, @ForAll long seed) {
    String strewn = Strewn.comments(Printer.print(ast), seed);
    var parsedSource = parse(strewn);
    assertThat(parsedSource.ast()).isEqualTo(ast);
    String once = Printer.format(strewn, parsedSource);
    assertThat(parse(once).ast()).isEqualTo(ast);
    assertThat(parse(once).comments().stream().map(Comment::text))
        .containsExactlyElementsOf(parsedSource.comments().stream().map(Comment::text).toList());
    assertThat(Printer.format(once, parse(once))).isEqualTo(once);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("a built tree compiles exactly as its source does")
  void builtTreesCompileAsTheirSource(@ForAll("asts") Ast ast) {
    var compiler = Compiler.create(Catalogues.product());
    assertThat(compiler.compile("t", ast).getClass())
        .isEqualTo(compiler.compile("t", Printer.print(ast)).getClass());
  }

  @Provide
  Arbitrary<Ast> asts() {
    return Trees.asts();
  }

  private static ParsedSource parse(String source) {
    var diagnostics = new Diagnostics("t");
    var parsedSource = Parser.parse(source, diagnostics);
    assertThat(diagnostics.sorted()).as(source).isEmpty();
    return parsedSource;
  }
}
