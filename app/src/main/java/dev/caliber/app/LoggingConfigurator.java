package dev.caliber.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sends logs to the standard error, one line each; {@link FailureReporter} prints a command's own
 * errors. Configured in code, because reading an XML file took a tenth of a command's start. A file
 * named by {@code logback.configurationFile} takes precedence.
 */
public final class LoggingConfigurator extends ContextAwareBase implements Configurator {
  private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%nopex";

  /** Constructor for Logback, which finds this class in {@code META-INF/services}. */
  public LoggingConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext logs) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(logs);
    encoder.setPattern(PATTERN);
    encoder.start();
    ConsoleAppender<ILoggingEvent> errors = new ConsoleAppender<>();
    errors.setContext(logs);
    errors.setName("STDERR");
    errors.setTarget("System.err");
    errors.setEncoder(encoder);
    errors.start();
    logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(errors);
    logs.getLogger("caliber").setLevel(Level.INFO);
    logs.getLogger("dev.caliber").setLevel(Level.INFO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
