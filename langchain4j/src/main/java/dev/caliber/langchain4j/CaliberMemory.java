package dev.caliber.langchain4j;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Caliber's memory in LangChain4j's words, in one space of one store. */
public interface CaliberMemory extends AutoCloseable {

  /**
   * Opens the embedded store in this directory, making it if need be, with the starter's settings.
   * Every message is on disk when a call returns.
   */
  @Seam("the clock and chance of the process come in where it asks for nothing else")
  static CaliberMemory open(Path directory) {
    StoreConfig starter = StoreConfig.starter();
    StoreConfig config = starter.withEngine(((StoreConfig.Sqlite) starter.engine()).in(directory));
    Clock clock = Clock.systemUTC();
    RecordStore store = RecordStore.open(config, tables(), clock, Ids.of(clock, Chance.system()));
    RuntimeConfig runtime = RuntimeConfig.starter();
    TokenEstimate estimate = new TokenEstimate(runtime.context().bytesPerToken());
    MemoryConfig rules = MemoryConfig.starter();
    Memory memory =
        Memory.of(store, rules, MemoryParts.plain(clock, runtime, TokenCounter.estimate(estimate)));
    return new StoredMemory(store, memory, rules, SpaceId.DEFAULT, true);
  }

  /**
   * Over a store that was opened with {@link #tables} and that the caller closes. What the memory
   * was given, such as a search index, is used.
   */
  static CaliberMemory over(RecordStore store, Memory memory, MemoryConfig rules, SpaceId space) {
    return new StoredMemory(store, memory, rules, space, false);
  }

  /** The tables that the store has to be opened with, memory's own included. */
  static List<Table<?>> tables() {
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.add(ChatWindow.TABLE);
    return tables;
  }

  /**
   * Chats as sessions: a chat's id is the name of its session, and every message is appended once,
   * as a turn. What a window drops stays in memory; what {@code deleteMessages} deletes is
   * forgotten for good.
   */
  default ChatMemoryStore chatMemoryStore() {
    return chatMemoryStore(_ -> Optional.empty());
  }

  /**
   * The same with a subject for each chat id: the session belongs to it, and a chat of another
   * subject under the same id is refused.
   */
  ChatMemoryStore chatMemoryStore(Function<Object, Optional<String>> subject);

  /** What memory recalls for a question: notes, turns and artifacts of the whole space. */
  default ContentRetriever contentRetriever(int limit) {
    return contentRetriever(limit, _ -> RecallFilter.any());
  }

  /** The same among the records that the filter for a question lets through. */
  ContentRetriever contentRetriever(int limit, Function<Query, RecallFilter> filter);

  /** The memory itself, for everything that LangChain4j has no word for. */
  Memory memory();

  /** Closes the store if this opened it. */
  @Override
  void close();
}
