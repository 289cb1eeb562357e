package dev.caliber.langchain4j;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A memory backed by one open store. */
record StoreBackedMemory(
    RecordStore store, Memory memory, MemoryConfig config, SpaceId space, boolean closesStore)
    implements CaliberMemory {

  @Override
  public ChatMemoryStore chatMemoryStore(Function<Object, Optional<String>> subject) {
    return new TurnChatMemoryStore(store, memory, config, space, subject);
  }

  @Override
  public ContentRetriever contentRetriever(int limit, Function<Query, RecallFilter> filter) {
    return query ->
        memory
            .recall(space, RecallQuery.of(query.text(), limit).withFilter(filter.apply(query)))
            .hits()
            .stream()
            .map(StoreBackedMemory::toContent)
            .toList();
  }

  private static Content toContent(RecallHit recallHit) {
    Metadata metadata =
        Metadata.from(
            Map.of(
                "id", recallHit.id().toString(),
                "kind", recallHit.kind().lowerCaseName(),
                "created_at", recallHit.createdAt().toString()));
    return Content.from(
        TextSegment.from(recallHit.text(), metadata),
        Map.of(ContentMetadata.SCORE, recallHit.similarity()));
  }

  @Override
  public void close() {
    if (closesStore) {
      store.close();
    }
  }
}
