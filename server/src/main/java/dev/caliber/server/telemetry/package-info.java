/**
 * The traces for OpenTelemetry, if an exporter is configured: a span for each call of memory and of
 * its assembler, by the conventions for generative AI. Start at {@link
 * dev.caliber.server.telemetry.Telemetry}. docs/operations.md describes it.
 */
@NullMarked
package dev.caliber.server.telemetry;

import org.jspecify.annotations.NullMarked;
