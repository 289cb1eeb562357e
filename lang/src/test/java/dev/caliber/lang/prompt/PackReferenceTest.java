package dev.caliber.lang.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackReferenceTest {
  private final Diagnostics diagnostics = new Diagnostics("f");

  private List<Reference> scan(String text) {
    return References.scan(text, new SourcePlaces(text), diagnostics);
  }

  @Test
  @DisplayName("PACK-22: references of all five kinds are found, with their places")
  void allKinds() {
    assertThat(
            scan(
                "${meta.project} ${agents.a.b}\n🐎 ${tools.bin.x} ${ENV:A_1}${INPUT:who}"
                    + " $ {no} ${"))
        .containsExactly(
            new Reference.Setting(Reference.Root.META, List.of("project"), new Span(1, 1, 1, 16)),
            new Reference.Setting(Reference.Root.AGENTS, List.of("a", "b"), new Span(1, 17, 1, 30)),
            new Reference.Setting(Reference.Root.TOOLS, List.of("bin", "x"), new Span(2, 3, 2, 17)),
            new Reference.Environment("A_1", new Span(2, 18, 2, 28)),
            new Reference.Input("who", new Span(2, 28, 2, 40)));
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
  @DisplayName("PACK-22: values go in once: what they bring is not looked at again")
  void valuesAreNotLookedAtAgain() {
    assertThat(
            References.replace(
                "a ${INPUT:x} b ${bad} ${meta.y}",
                it -> it.text().equals("${meta.y}") ? "" : "${meta.y}"))
        .isEqualTo("a ${meta.y} b ${bad} ");
    assertThat(References.replace("", Reference::text)).isEmpty();
  }

  @Test
  @DisplayName("PACK-19: a text is nothing but references when only white space is beside them")
  void nothingButReferences() {
    assertThat(References.only(" ${INPUT:x}\n${bad} ")).isTrue();
    assertThat(References.only("${INPUT:x}.")).isFalse();
    assertThat(References.only("  ")).isFalse();
    assertThat(References.only("")).isFalse();
    assertThat(References.only("${INPUT:x")).isFalse();
  }

  @Test
  void aSettingHasAKeyAndACallHasATool() {
    var span = new Span(1, 1, 1, 1);
    assertThatThrownBy(() -> new Reference.Setting(Reference.Root.META, List.of(), span))
        .hasMessageContaining("at least one key");
    var meta = new Reference.Setting(Reference.Root.META, List.of("x"), span);
    assertThatThrownBy(() -> new Part.ToolCall(meta, Payload.none(span), false, span))
        .hasMessageContaining("wanted a tool");
  }
}
