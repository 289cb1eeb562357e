package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;

/** What a section is made of, in the order of the file. */
public sealed interface Part {
  /** Where it stands. */
  Span span();

  /** Markdown without the blocks of the contract. */
  record Text(Template template) implements Part {
    @Override
    public Span span() {
      return template.span();
    }
  }

  /** A fenced block of the contract. */
  sealed interface Block extends Part {
    /** Whether it belongs to the whole prompt instead of its section. */
    boolean global();
  }

  /** A tool to call, and what with. */
  record ToolCall(Reference.Setting tool, Payload payload, boolean global, Span span)
      implements Block {
    public ToolCall {
      if (tool.root() != Reference.Root.TOOLS) {
        throw new IllegalArgumentException("wanted a tool, found " + tool.text());
      }
    }

    /** The tool as the pack knows it: {@code tools.prompts.search}. */
    public String toolId() {
      return tool.path();
    }

    ToolCall with(Payload other) {
      return new ToolCall(tool, other, global, span);
    }
  }

  /** What to ask the memory for. */
  record ContextQuery(Template template, boolean global, Span span) implements Block {}
}
