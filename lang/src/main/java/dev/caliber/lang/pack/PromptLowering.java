package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.PackPrompt;
import dev.caliber.lang.prompt.ParsedPrompt;
import dev.caliber.lang.prompt.Payload;
import dev.caliber.lang.prompt.PromptSection;
import dev.caliber.lang.prompt.SectionPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns a prompt into its record. */
final class PromptLowering {
  private PromptLowering() {}

  static PackPrompt lower(ParsedPrompt parsedPrompt) {
    return new PackPrompt(
        parsedPrompt.sections().stream().map(PromptLowering::section).toList(),
        invocations(parsedPrompt),
        parsedPrompt.context().map(query -> query.template().text()),
        parsedPrompt.inputs());
  }

  private static PackPrompt.PackPromptSection section(PromptSection promptSection) {
    return new PackPrompt.PackPromptSection(
        PackPrompt.PackPromptSectionKind.valueOf(promptSection.kind().name()),
        promptSection.text());
  }

  private static List<PackPrompt.ToolInvocation> invocations(ParsedPrompt parsedPrompt) {
    var calls = new ArrayList<PackPrompt.ToolInvocation>();
    for (int i = 0; i < parsedPrompt.sections().size(); i++) {
      for (var sectionPart : parsedPrompt.sections().get(i).parts()) {
        if (sectionPart instanceof SectionPart.PromptToolCall call) {
          calls.add(invocation(call, i));
        }
      }
    }
    return calls;
  }

  private static PackPrompt.ToolInvocation invocation(
      SectionPart.PromptToolCall call, int section) {
    return new PackPrompt.ToolInvocation(
        call.toolId(),
        format(call.payload()),
        call.payload().template().text(),
        call.global() ? Optional.empty() : Optional.of(section));
  }

  private static PackPrompt.PayloadFormat format(Payload payload) {
    return PackPrompt.PayloadFormat.valueOf(payload.format().name());
  }
}
