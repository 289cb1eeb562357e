package dev.caliber.testkit.search;

import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Embedder that hashes words, counts its calls, and fails on request. */
public final class FaultyEmbedder implements Embedder {

  /** Kinds of failure. */
  public enum EmbedderFault {
    NONE,
    /** The provider cannot be reached. */
    AWAY,
    /** Every text with the word "poison" is refused permanently. */
    POISON,
    /** Every text with the word "stuck" fails, and may succeed later. */
    STUCK,
    /** Vectors are too short. */
    SHORT
  }

  private final Embedder inner;
  private final String model;
  private final AtomicInteger texts = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile EmbedderFault embedderFault = EmbedderFault.NONE;

  public FaultyEmbedder(String model, int dimensions) {
    this.model = model;
    this.inner = Embedder.hashing(dimensions);
  }

  public void setFault(EmbedderFault other) {
    embedderFault = other;
  }

  /** Returns the number of passages embedded. */
  public int embeddedPassages() {
    return texts.get();
  }

  public int calls() {
    return calls.get();
  }

  @Override
  public String model() {
    return model;
  }

  @Override
  public int dimensions() {
    return inner.dimensions();
  }

  @Override
  public String prefix(EmbeddingPurpose embeddingPurpose) {
    return "";
  }

  @Override
  public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> all) {
    calls.incrementAndGet();
    texts.addAndGet(embeddingPurpose == EmbeddingPurpose.PASSAGE ? all.size() : 0);
    List<Embedding> answers = new ArrayList<>();
    for (String text : all) {
      answers.add(embedOrFail(embeddingPurpose, text));
    }
    return answers;
  }

  private Embedding embedOrFail(EmbeddingPurpose embeddingPurpose, String text) {
    return switch (embedderFault) {
      case AWAY -> Embedding.failed(StoreErrorCode.UNREACHABLE, "no answer", Optional.empty());
      case SHORT -> Embedding.of(new float[] {1});
      case POISON ->
          text.contains("poison") ? refusedEmbedding() : hashEmbedding(embeddingPurpose, text);
      case STUCK ->
          text.contains("stuck")
              ? Embedding.failed(StoreErrorCode.UNREACHABLE, "it failed inside", Optional.empty())
              : hashEmbedding(embeddingPurpose, text);
      case NONE -> hashEmbedding(embeddingPurpose, text);
    };
  }

  private static Embedding refusedEmbedding() {
    return Embedding.refused(KernelErrorCode.INVALID_VALUE, "refused");
  }

  private Embedding hashEmbedding(EmbeddingPurpose embeddingPurpose, String text) {
    return inner.embed(embeddingPurpose, List.of(text)).getFirst();
  }

  @Override
  public void close() {
    inner.close();
  }
}
