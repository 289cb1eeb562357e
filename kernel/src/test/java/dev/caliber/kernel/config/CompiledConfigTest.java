package dev.caliber.kernel.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CompiledConfigTest {
  private static final FieldType TEXT = new FieldType.PlainFieldType(FieldType.PrimitiveType.TEXT);

  private static MemoryDefinition memory(String name, Optional<String> parent) {
    return new MemoryDefinition(
        name,
        MemoryType.WORKING,
        List.of(new FieldDefinition("a", TEXT)),
        new Retention.DurationRetention(Duration.ofDays(30)),
        Optional.of(
            new Lifecycle.AutomaticClose(
                new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END))),
        List.of(new IndexDefinition("a", IndexType.GIN)),
        List.of("x"),
        parent,
        List.of(new Trigger.ScheduleTrigger(Cron.parse("0 0 * * *"))));
  }

  private static CompiledConfig config() {
    return new CompiledConfig(
        "0.1.0",
        List.of(memory("m", Optional.empty())),
        List.of(
            new PolicyDefinition(
                "p",
                List.of(
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN),
                        List.of(
                            new PolicyAction.PruneAction(
                                "m", new PruneCriteria.ConfidenceCriteria(0.5)),
                            new PolicyAction.NotifyAction("c")))))),
        List.of(
            new InjectionRule(
                "m",
                "context",
                new InjectionMode.RelevantInjection(0.25),
                1,
                2,
                Optional.of(
                    new Filter.ComparisonFilter(
                        "a", ComparisonOperator.CONTAINS, new FilterValue.TextFilterValue("x"))))),
        List.of(
            new AdapterDefinition(
                "d",
                AdapterType.SQLITE,
                "c",
                new AdapterOptions(
                    Map.of(
                        "n",
                        new OptionValue.NullOption(),
                        "r",
                        new OptionValue.DecimalOption(0.1))))));
  }

  @Test
  @DisplayName("DSL-16: a configuration is the same after JSON, byte for byte, and so is its hash")
  void survivesJson() {
    byte[] json = Json.bytes(config());
    var read = Json.read(json, CompiledConfig.class);
    assertThat(read).isEqualTo(config());
    assertThat(Json.bytes(read)).isEqualTo(json);
    assertThat(read.hash()).isEqualTo(config().hash());
    assertThat(Json.text(config()))
        .contains(
            "\"options\":{\"n\":null,\"r\":0.1}",
            "\"cron\":\"0 0 * * *\"",
            "\"kind\":\"relevant\"");
  }

  @Test
  @DisplayName("DSL-16: a configuration cannot be changed through the collections it was made from")
  void isImmutable() {
    var memories = new ArrayList<>(List.of(memory("m", Optional.empty())));
    var config = new CompiledConfig("0.1.0", memories, List.of(), List.of(), List.of());
    memories.clear();
    assertThat(config.memory("m")).isPresent();
    assertThat(config.memory("n")).isEmpty();
    assertThat(config.memories().getFirst().field("a")).isPresent();
  }

  @Test
  @DisplayName("DSL-16: a configuration that exists is consistent")
  void isConsistent() {
    var one = memory("m", Optional.empty());
    refused(() -> new CompiledConfig("1", List.of(one, one), List.of(), List.of(), List.of()));
    refused(
        () ->
            new CompiledConfig(
                "1", List.of(memory("m", Optional.of("n"))), List.of(), List.of(), List.of()));
    refused(() -> new CompiledConfig("1", List.of(), config().policies(), List.of(), List.of()));
    refused(() -> new CompiledConfig("1", List.of(), List.of(), config().injections(), List.of()));
  }

  @Test
  @DisplayName("DSL-15: numbers, names and lists of a configuration are within their bounds")
  void partsAreWithinBounds() {
    refused(() -> new InjectionMode.RelevantInjection(1.1));
    refused(() -> new InjectionMode.RelevantInjection(Double.NaN));
    refused(() -> new InjectionMode.TopKInjection(0));
    refused(() -> new Retention.CountRetention(0));
    refused(() -> new PruneCriteria.ConfidenceCriteria(-0.1));
    refused(() -> new PolicyAction.NotifyAction(" "));
    refused(() -> new FieldDefinition("A", TEXT));
    refused(() -> new FieldType.EnumerationFieldType(List.of()));
    refused(() -> new FieldType.EnumerationFieldType(List.of("x", "x")));
    refused(() -> new Filter.AndFilter(List.of()));
    refused(
        () ->
            new PolicyRule(
                new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN), List.of()));
    refused(() -> Json.read("[]", AdapterOptions.class));
  }

  @Test
  void equalNumbersAreEqual() {
    assertThat(new FilterValue.NumericFilterValue(new BigDecimal("1E+2")))
        .isEqualTo(new FilterValue.NumericFilterValue(new BigDecimal("100.00")));
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(KernelException.class);
  }
}
