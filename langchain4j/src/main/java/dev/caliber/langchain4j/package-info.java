/**
 * Memory for agents written with LangChain4j: chats become turns, and recalled records become
 * content for questions. Start at {@link CaliberMemory}.
 */
@NullMarked
package dev.caliber.langchain4j;

import org.jspecify.annotations.NullMarked;
