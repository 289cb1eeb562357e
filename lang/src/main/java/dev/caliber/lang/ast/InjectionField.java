package dev.caliber.lang.ast;

/** A field of an injection's body. */
public sealed interface InjectionField extends FieldNode {
  @Override
  default String word() {
    return switch (this) {
      case Mode _ -> Keywords.MODE;
      case Priority _ -> Keywords.PRIORITY;
      case MaxTokens _ -> Keywords.MAX_TOKENS;
      case Where _ -> Keywords.FILTER;
    };
  }

  record Mode(ModeNode mode, NodeOrigin origin) implements InjectionField {}

  record Priority(NumberNode priority, NodeOrigin origin) implements InjectionField {}

  record MaxTokens(NumberNode tokens, NodeOrigin origin) implements InjectionField {}

  record Where(FilterNode filter, NodeOrigin origin) implements InjectionField {}
}
