package dev.caliber.lang;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptRules;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's search for prompts without a result; see {@code ./verify --help}. */
@Tag("fuzz")
class PackPromptFuzzTest {
  static Stream<Arguments> seeds() {
    return FuzzSeeds.prompts();
  }

  @MethodSource("seeds")
  @DisplayName("PACK-33: no prompt that coverage leads to breaks its reader, strict or not")
  @DictionaryEntries({
    "# System",
    "## PCP",
    "### User",
    "```tool",
    "```json",
    "```xml global",
    "```cal.context",
    "```",
    "~~~~tool",
    "${tools.",
    "${meta.",
    "${INPUT:",
    "${ENV:",
    "<!DOCTYPE a [",
    "<![CDATA[",
    "<?xml version=\"1.0\"?>",
    "&#x",
    "\\u",
    "> - ",
    "-----BEGIN "
  })
  @FuzzTest
  void everyPromptIsAnswered(byte[] bytes) {
    String source = new String(bytes, StandardCharsets.UTF_8);
    PromptLaws.hold(source, PromptRules.strict(PromptKind.AGENT));
    PromptLaws.hold(source, new PromptRules(PromptKind.AGENT, false, false));
    PromptLaws.hold(source, PromptRules.strict(PromptKind.TOOL));
  }
}
