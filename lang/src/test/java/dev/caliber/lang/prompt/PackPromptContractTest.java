package dev.caliber.lang.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the blocks that a prompt may have, and of their owners. */
final class PackPromptContractTest {
  private static final String HEAD =
      """
      # System
      You help.

      ## PCP
      Be exact.

      ### User
      ${INPUT:question}

      """;

  private final Diagnostics diagnostics = new Diagnostics("agents/a.md");

  private ParsedPrompt read(String blocks) {
    return PromptReader.read(HEAD + blocks, PromptRules.strict(PromptKind.AGENT), diagnostics);
  }

  private List<DiagnosticCode> codes() {
    return diagnostics.sorted().stream().map(Diagnostic::code).toList();
  }

  @Test
  @DisplayName("PACK-16: fences are tool, json, xml and cal.context; any other is an error")
  void fences() {
    read("```tool\n${tools.a.b}\n```\n```json\n{}\n```\n");
    read("```tool\n${tools.a.b}\n```\n```xml\n<a/>\n```\n");
    read("```cal.context\n${INPUT:question}\n```\n");
    assertThat(codes()).isEmpty();
    read("```python\nprint()\n```\n");
    assertThat(codes()).containsExactly(DiagnosticCode.UNKNOWN_FENCE);
  }

  @Test
  @DisplayName("PACK-17: a tool block holds one reference to a tool and nothing else")
  void toolBlocks() {
    assertThat(read("```tool\n${tools.a.b}\n```\n").toolCalls()).hasSize(1);
    assertThat(codes()).isEmpty();
    read("```tool\n${tools.a.b}\n${tools.a.c}\n```\n");
    assertThat(codes()).isNotEmpty();
  }

  @Test
  @DisplayName("PACK-20: a block belongs to the section before it unless it is marked global")
  void owners() {
    var parsedPrompt =
        read(
            "```tool\n${tools.a.b}\n```\n\n### User\nMore.\n\n```tool global\n${tools.a.c}\n```\n");
    assertThat(codes()).isEmpty();
    assertThat(parsedPrompt.globals()).hasSize(1);
    assertThat(parsedPrompt.toolCalls())
        .extracting(SectionPart.ContractBlock::global)
        .containsExactly(false, true);
  }

  @Test
  @DisplayName("J-55: strict payloads have references as values, and any structure")
  void strictPayloads() {
    read(
        "```tool\n${tools.a.b}\n```\n```json\n{\"q\": [{\"text\": \"${INPUT:question}\"}]}\n```\n");
    assertThat(codes()).isEmpty();
    read("```tool\n${tools.a.b}\n```\n```json\n{\"q\": \"fixed\"}\n```\n");
    assertThat(codes()).containsExactly(DiagnosticCode.NOT_A_REFERENCE);
  }
}
