package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DslFormatterTest {
  @Test
  @DisplayName("DSL-17: the canonical form: one entry per line, comments beside their subject")
  void theCanonicalForm() {
    String source =
        """
        // head
        caliber:"0.1.0"{ // version
        memory m{type:meta // why meta


        schema:{a:text,// first
        b:enum("x",   "y")} retention : compress_on:turn
        // about the index
        index:{a:hash}
        } // end of m
        // about p
        policy p{on schedule("0 0 * * *"):[summarize(m),notify("x")]}
        inject m into context{mode:top_k(3) priority:1 max_tokens:5
          filter:((a="x"))and(b=x or b="y") // why
        }
        adapter x{type:sqlite connection:"c" options:{"a":{"b":[1,2]},"c":{}}}
        // tail
        }
        """;
    assertThat(Formatter.format("f", source))
        .isEqualTo(
            new Formatter.FormatSuccess(
                """
                // head
                caliber: "0.1.0" { // version
                  memory m {
                    type: meta // why meta

                    schema: {
                      a: text, // first
                      b: enum("x", "y")
                    }
                    retention: compress_on: turn
                    // about the index
                    index: {
                      a: hash
                    }
                  } // end of m

                  // about p
                  policy p {
                    on schedule("0 0 * * *"): [
                      summarize(m),
                      notify("x")
                    ]
                  }

                  inject m into context {
                    mode: top_k(3)
                    priority: 1
                    max_tokens: 5
                    filter: a = "x" and (b = x or b = "y") // why
                  }

                  adapter x {
                    type: sqlite
                    connection: "c"
                    options: {
                      "a": {
                        "b": [1, 2]
                      },
                      "c": {}
                    }
                  }
                  // tail
                }
                """));
  }

  @Test
  @DisplayName(
      "DSL-17: a source with semantic errors is formatted, one with syntax errors is refused")
  void onlyTheGrammarCounts() {
    assertThat(Formatter.format("f", "caliber: \"9\" { memory m {} }"))
        .isEqualTo(new Formatter.FormatSuccess("caliber: \"9\" {\n  memory m {\n  }\n}\n"));
    assertThat(Formatter.format("f", "caliber: \"0.1.0\" { memory }"))
        .isInstanceOfSatisfying(
            Formatter.FormatFailure.class,
            formatFailure ->
                assertThat(formatFailure.diagnostics().getFirst().code())
                    .isEqualTo(DiagnosticCode.UNEXPECTED_TOKEN));
  }
}
