package dev.caliber.lang.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackReferenceTest {
  private final Diagnostics diagnostics = new Diagnostics("f");

  private List<Reference> scan(String text) {
    return ReferenceScanner.scan(text, new SourceSpanLocator(text), diagnostics);
  }

  @Test
  @DisplayName("PACK-22: references of all five kinds are found, with their positions")
  void allKinds() {
    assertThat(
            scan(
                "${meta.project} ${agents.a.b}\n🐎 ${tools.bin.x} ${ENV:A_1}${INPUT:who}"
                    + " $ {no} ${"))
        .containsExactly(
            new Reference.SettingReference(
                Reference.ReferenceRoot.META, List.of("project"), new Span(1, 1, 1, 16)),
            new Reference.SettingReference(
                Reference.ReferenceRoot.AGENTS, List.of("a", "b"), new Span(1, 17, 1, 30)),
            new Reference.SettingReference(
                Reference.ReferenceRoot.TOOLS, List.of("bin", "x"), new Span(2, 3, 2, 17)),
            new Reference.EnvironmentReference("A_1", new Span(2, 18, 2, 28)),
            new Reference.InputReference("who", new Span(2, 28, 2, 40)));
    assertThat(diagnostics.sorted())
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.MALFORMED_REFERENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"${meta.project}", "${ENV:A}", "${INPUT:x}", "${tools.a-b.c_d}"})
  @DisplayName("PACK-22: a reference is written as it was read")
  void writtenAsRead(String text) {
    assertThat(scan(text)).singleElement().extracting(Reference::text).isEqualTo(text);
  }

  @Test
  @DisplayName("PACK-22: values are inserted once and not scanned again")
  void valuesAreNotLookedAtAgain() {
    assertThat(
            ReferenceScanner.replace(
                "a ${INPUT:x} b ${bad} ${meta.y}",
                it -> it.text().equals("${meta.y}") ? "" : "${meta.y}"))
        .isEqualTo("a ${meta.y} b ${bad} ");
    assertThat(ReferenceScanner.replace("", Reference::text)).isEmpty();
  }

  @Test
  @DisplayName("PACK-19: a text is nothing but references when only white space is beside them")
  void nothingButReferences() {
    assertThat(ReferenceScanner.isOnlyReferences(" ${INPUT:x}\n${bad} ")).isTrue();
    assertThat(ReferenceScanner.isOnlyReferences("${INPUT:x}.")).isFalse();
    assertThat(ReferenceScanner.isOnlyReferences("  ")).isFalse();
    assertThat(ReferenceScanner.isOnlyReferences("")).isFalse();
    assertThat(ReferenceScanner.isOnlyReferences("${INPUT:x")).isFalse();
  }

  @Test
  void aSettingHasAKeyAndACallHasATool() {
    var span = new Span(1, 1, 1, 1);
    assertThatThrownBy(
            () -> new Reference.SettingReference(Reference.ReferenceRoot.META, List.of(), span))
        .hasMessageContaining("at least one key");
    var meta = new Reference.SettingReference(Reference.ReferenceRoot.META, List.of("x"), span);
    assertThatThrownBy(() -> new SectionPart.PromptToolCall(meta, Payload.none(span), false, span))
        .hasMessageContaining("expected a tool");
  }
}
