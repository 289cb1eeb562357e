/**
 * What the server tells OpenTelemetry, if an exporter is configured: a span for each call of memory
 * and of its assembler, by the conventions for generative AI. Start at {@link
 * dev.caliber.server.telemetry.Telemetry}. docs/decisions/0042-telemetry.md says why.
 */
@NullMarked
package dev.caliber.server.telemetry;

import org.jspecify.annotations.NullMarked;
