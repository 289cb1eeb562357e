package dev.caliber.langchain4j;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection.Hit;
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

/** Over one open store. */
record StoredMemory(
    RecordStore store, Memory memory, MemoryConfig rules, SpaceId space, boolean closing)
    implements CaliberMemory {

  @Override
  public ChatMemoryStore chatMemoryStore(Function<Object, Optional<String>> subject) {
    return new TurnChatMemoryStore(store, memory, rules, space, subject);
  }

  @Override
  public ContentRetriever contentRetriever(int limit, Function<Query, RecallFilter> filter) {
    return query ->
        memory
            .recall(space, RecallQuery.of(query.text(), limit).among(filter.apply(query)))
            .hits()
            .stream()
            .map(StoredMemory::content)
            .toList();
  }

  private static Content content(Hit hit) {
    Metadata metadata =
        Metadata.from(
            Map.of(
                "id", hit.id().toString(),
                "kind", hit.kind().word(),
                "created_at", hit.createdAt().toString()));
    return Content.from(
        TextSegment.from(hit.text(), metadata), Map.of(ContentMetadata.SCORE, hit.similarity()));
  }

  @Override
  public void close() {
    if (closing) {
      store.close();
    }
  }
}
