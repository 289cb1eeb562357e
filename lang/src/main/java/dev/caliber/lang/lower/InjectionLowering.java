package dev.caliber.lang.lower;

import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.InjectionField;
import java.util.Optional;

/** Turns an injection's fields, in any order, into its rule. */
final class InjectionLowering {
  private InjectionLowering() {}

  static InjectionRule lower(Definition.Injection injection, FilterLowering filters) {
    String memory = injection.memory().text();
    return new InjectionRule(
        memory,
        injection.target().text(),
        PolicyLowering.mode(required(injection, InjectionField.Mode.class).mode()),
        required(injection, InjectionField.Priority.class).priority().value().intValueExact(),
        required(injection, InjectionField.MaxTokens.class).tokens().value().intValueExact(),
        find(injection, InjectionField.Where.class)
            .map(where -> filters.lower(memory, where.filter())));
  }

  private static <F extends InjectionField> F required(
      Definition.Injection injection, Class<F> type) {
    return find(injection, type)
        .orElseThrow(() -> LoweringErrors.missingField(type.getSimpleName()));
  }

  private static <F extends InjectionField> Optional<F> find(
      Definition.Injection injection, Class<F> type) {
    return injection.fields().stream().filter(type::isInstance).map(type::cast).findFirst();
  }
}
