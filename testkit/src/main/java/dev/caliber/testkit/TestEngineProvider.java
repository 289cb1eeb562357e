package dev.caliber.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

/** Provider of one engine for each run of a class with {@link EachEngine}. */
final class TestEngineProvider implements ArgumentsProvider {

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    EachEngine wanted =
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), EachEngine.class)
            .orElseThrow();
    List<EngineKind> tested = EngineKind.testedKinds(System.getenv());
    return Stream.of(wanted.value())
        .filter(tested::contains)
        .map(kind -> Arguments.of(new TestEngine(kind, wanted.schemaPerTest())));
  }
}
