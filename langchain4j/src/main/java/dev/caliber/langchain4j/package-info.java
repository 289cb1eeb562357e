/**
 * Memory for agents that are written with LangChain4j: their chats become turns, and what is
 * remembered becomes content for their questions. Start at {@link CaliberMemory}.
 */
@NullMarked
package dev.caliber.langchain4j;

import org.jspecify.annotations.NullMarked;
