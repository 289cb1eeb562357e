package dev.caliber.memory.pcp;

import dev.caliber.memory.context.Assembled;
import java.util.Optional;

/**
 * A window that was assembled within the dosage.
 *
 * @param report what validation says; empty unless {@code pcp.validation} is {@code always}
 */
public record Checked(Assembled assembled, Optional<Report> report) {}
