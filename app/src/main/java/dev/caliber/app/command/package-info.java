/**
 * Commands that run one operation of a store or of its server: memory, windows, agents, feed, keys
 * and spaces. Start at {@link MemoryCommands}.
 */
@NullMarked
package dev.caliber.app.command;

import org.jspecify.annotations.NullMarked;
