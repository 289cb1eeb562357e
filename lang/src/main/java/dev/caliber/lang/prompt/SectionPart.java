package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;

/** A part of a section, in the order of the file. */
public sealed interface SectionPart {
  /** Returns its span. */
  Span span();

  /** Markdown without the blocks of the contract. */
  record MarkdownText(Template template) implements SectionPart {
    @Override
    public Span span() {
      return template.span();
    }
  }

  /** A fenced block of the contract. */
  sealed interface ContractBlock extends SectionPart {
    /** Returns whether it belongs to the whole prompt instead of its section. */
    boolean global();
  }

  /** A tool call with its arguments. */
  record PromptToolCall(Reference.SettingReference tool, Payload payload, boolean global, Span span)
      implements ContractBlock {
    public PromptToolCall {
      if (tool.root() != Reference.ReferenceRoot.TOOLS) {
        throw new IllegalArgumentException("expected a tool, found " + tool.text());
      }
    }

    /** Returns the tool's id in the pack: {@code tools.prompts.search}. */
    public String toolId() {
      return tool.path();
    }

    PromptToolCall withPayload(Payload other) {
      return new PromptToolCall(tool, other, global, span);
    }
  }

  /** A query for memory. */
  record ContextQuery(Template template, boolean global, Span span) implements ContractBlock {}
}
