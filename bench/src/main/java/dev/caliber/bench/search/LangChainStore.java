package dev.caliber.bench.search;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.inmemory.InMemoryEmbeddingStore;
import java.util.ArrayList;
import java.util.List;

/** LangChain4j's embedding store in memory, as its users have it. */
final class LangChainStore {

  private final InMemoryEmbeddingStore<String> store = new InMemoryEmbeddingStore<>();

  LangChainStore(SearchCorpus searchCorpus, BruteForceScan vectors) {
    List<String> ids = new ArrayList<>();
    List<Embedding> embeddings = new ArrayList<>();
    for (int i = 0; i < searchCorpus.size(); i++) {
      ids.add(SearchCorpus.id(i));
      embeddings.add(Embedding.from(vectors.vector(i)));
    }
    store.addAll(ids, embeddings, ids);
  }

  int nearest(float[] question, int limit) {
    return store
        .search(
            EmbeddingSearchRequest.builder()
                .queryEmbedding(Embedding.from(question))
                .maxResults(limit)
                .build())
        .matches()
        .size();
  }
}
