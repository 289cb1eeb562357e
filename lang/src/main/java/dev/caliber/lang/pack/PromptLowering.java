package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.PackPrompt;
import dev.caliber.lang.prompt.Part;
import dev.caliber.lang.prompt.Payload;
import dev.caliber.lang.prompt.Prompt;
import dev.caliber.lang.prompt.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns a prompt into its record. */
final class PromptLowering {
  private PromptLowering() {}

  static PackPrompt lower(Prompt prompt) {
    return new PackPrompt(
        prompt.sections().stream().map(PromptLowering::section).toList(),
        invocations(prompt),
        prompt.context().map(query -> query.template().text()),
        prompt.inputs());
  }

  private static PackPrompt.Section section(Section section) {
    return new PackPrompt.Section(PackPrompt.Kind.valueOf(section.kind().name()), section.text());
  }

  private static List<PackPrompt.Invocation> invocations(Prompt prompt) {
    var calls = new ArrayList<PackPrompt.Invocation>();
    for (int i = 0; i < prompt.sections().size(); i++) {
      for (var part : prompt.sections().get(i).parts()) {
        if (part instanceof Part.ToolCall call) {
          calls.add(invocation(call, i));
        }
      }
    }
    return calls;
  }

  private static PackPrompt.Invocation invocation(Part.ToolCall call, int section) {
    return new PackPrompt.Invocation(
        call.toolId(),
        format(call.payload()),
        call.payload().template().text(),
        call.global() ? Optional.empty() : Optional.of(section));
  }

  private static PackPrompt.PayloadFormat format(Payload payload) {
    return PackPrompt.PayloadFormat.valueOf(payload.format().name());
  }
}
