/**
 * What memory is asked and what it answers: the closed set of {@link
 * dev.caliber.memory.command.Command}s that change it, questions such as {@link
 * dev.caliber.memory.command.RecallQuery}, and their answers. Each checks itself; {@link
 * dev.caliber.memory.Memory} carries it out.
 */
@NullMarked
package dev.caliber.memory.command;

import org.jspecify.annotations.NullMarked;
