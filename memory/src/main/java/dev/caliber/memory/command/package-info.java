/**
 * Commands, queries and results of memory: the closed set of {@link
 * dev.caliber.memory.command.Command}s, queries such as {@link
 * dev.caliber.memory.command.RecallQuery}, and their results. Each validates itself; {@link
 * dev.caliber.memory.Memory} executes it.
 */
@NullMarked
package dev.caliber.memory.command;

import org.jspecify.annotations.NullMarked;
