package dev.caliber.langchain4j;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Caliber's memory behind LangChain4j's interfaces, in one space of one store. */
public interface CaliberMemory extends AutoCloseable {

  /**
   * Opens the embedded store in this directory with the starter settings, and creates it if it is
   * missing. Every message is on disk when a call returns.
   */
  @SystemAccess("an embedded memory uses the clock and the random source of the process")
  static CaliberMemory open(Path directory) {
    StoreConfig starter = StoreConfig.starter();
    StoreConfig config =
        starter.withEngine(
            ((StoreConfig.SqliteSettings) starter.engine()).withDirectory(directory));
    Clock clock = Clock.systemUTC();
    RecordStore store =
        Stores.open(config, tables(), clock, IdGenerator.of(clock, RandomSource.system()));
    RuntimeConfig runtime = RuntimeConfig.starter();
    TokenEstimator estimate = new TokenEstimator(runtime.context().bytesPerToken());
    MemoryConfig rules = MemoryConfig.starter();
    Memory memory =
        Memory.of(
            store,
            rules,
            MemoryDependencies.minimal(clock, runtime, TokenCounter.estimate(estimate)));
    return new StoreBackedMemory(store, memory, rules, SpaceId.DEFAULT, true);
  }

  /**
   * Uses a store that was opened with {@link #tables} and that the caller closes, and everything
   * that the memory was given, such as a search index.
   */
  static CaliberMemory of(RecordStore store, Memory memory, MemoryConfig rules, SpaceId space) {
    return new StoreBackedMemory(store, memory, rules, space, false);
  }

  /** The tables that the store has to be opened with, memory's own included. */
  static List<Table<?>> tables() {
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.add(RetainedChatTurns.TABLE);
    return tables;
  }

  /**
   * Returns a store of chats in which a chat's id is the name of its session and every message is
   * appended once, as a turn. A message that leaves the chat window stays in memory; {@code
   * deleteMessages} forgets messages for good.
   */
  default ChatMemoryStore chatMemoryStore() {
    return chatMemoryStore(_ -> Optional.empty());
  }

  /**
   * Returns a store of chats with a subject for each chat id: the session belongs to the subject,
   * and a chat of another subject under the same id is refused.
   */
  ChatMemoryStore chatMemoryStore(Function<Object, Optional<String>> subject);

  /** Returns a retriever of notes, turns and artifacts of the whole space. */
  default ContentRetriever contentRetriever(int limit) {
    return contentRetriever(limit, _ -> RecallFilter.any());
  }

  /** Returns a retriever that recalls only records that pass the filter for the question. */
  ContentRetriever contentRetriever(int limit, Function<Query, RecallFilter> filter);

  /** The memory itself, for everything that LangChain4j's interfaces do not cover. */
  Memory memory();

  /** Closes the store if {@link #open} opened it. */
  @Override
  void close();
}
