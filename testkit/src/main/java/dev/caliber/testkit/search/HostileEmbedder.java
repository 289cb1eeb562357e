package dev.caliber.testkit.search;

import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Hashes words, counts what it is asked, and fails when told to. */
public final class HostileEmbedder implements Embedder {

  /** What goes wrong. */
  public enum Trouble {
    NONE,
    /** The provider cannot be reached. */
    AWAY,
    /** Every text with the word "poison" is refused for good. */
    POISON,
    /** Every text with the word "stuck" fails, and may not later. */
    STUCK,
    /** Vectors are too short. */
    SHORT
  }

  private final Embedder inner;
  private final String model;
  private final AtomicInteger texts = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Trouble trouble = Trouble.NONE;

  public HostileEmbedder(String model, int dimensions) {
    this.model = model;
    this.inner = Embedder.hashing(dimensions);
  }

  public void suffer(Trouble other) {
    trouble = other;
  }

  /** How many passages were embedded. */
  public int texts() {
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
  public String prefix(Purpose purpose) {
    return "";
  }

  @Override
  public List<Embedding> embed(Purpose purpose, List<String> all) {
    calls.incrementAndGet();
    texts.addAndGet(purpose == Purpose.PASSAGE ? all.size() : 0);
    List<Embedding> answers = new ArrayList<>();
    for (String text : all) {
      answers.add(answer(purpose, text));
    }
    return answers;
  }

  private Embedding answer(Purpose purpose, String text) {
    return switch (trouble) {
      case AWAY -> Embedding.failed(StoreErrorCode.UNREACHABLE, "nobody answers", Optional.empty());
      case SHORT -> Embedding.of(new float[] {1});
      case POISON -> text.contains("poison") ? refusal() : hashed(purpose, text);
      case STUCK ->
          text.contains("stuck")
              ? Embedding.failed(StoreErrorCode.UNREACHABLE, "it failed inside", Optional.empty())
              : hashed(purpose, text);
      case NONE -> hashed(purpose, text);
    };
  }

  private static Embedding refusal() {
    return Embedding.refused(KernelErrorCode.INVALID_VALUE, "refused");
  }

  private Embedding hashed(Purpose purpose, String text) {
    return inner.embed(purpose, List.of(text)).getFirst();
  }

  @Override
  public void close() {
    inner.close();
  }
}
