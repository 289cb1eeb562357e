package dev.caliber.testkit;

import static dev.caliber.testkit.EngineKind.MEMORY;
import static dev.caliber.testkit.EngineKind.POSTGRES;
import static dev.caliber.testkit.EngineKind.SQLITE;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Test class that runs once for each of these engines, except those that the variable {@code
 * CALIBER_TEST_ENGINES} leaves out of the run. The class extends {@link StoreFixture}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@ArgumentsSource(TestEngineProvider.class)
public @interface EachEngine {

  EngineKind[] value() default {MEMORY, SQLITE, POSTGRES};

  /**
   * Gives each test a PostgreSQL schema of its own. Needed by tests that declare different tables,
   * or that change tables from outside; others share one schema and one open store.
   */
  boolean schemaPerTest() default false;
}
