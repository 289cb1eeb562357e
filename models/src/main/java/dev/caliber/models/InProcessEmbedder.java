package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.ModelsConfig.InProcessSettings;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Embedder that runs e5-small-v2 in this process; a long text's vector is the mean of its parts'.
 * The model loads on a thread of its own, on request or at its first use, which waits for it.
 */
final class InProcessEmbedder implements Embedder {
  private static final Logger LOG = LoggerFactory.getLogger(InProcessEmbedder.class);

  private final E5Model kind;
  private final FutureTask<LoadedModel> loading;
  private final InferenceThreads inferenceThreads;
  private final int partsLimit;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private InProcessEmbedder(E5Model kind, InProcessSettings config) {
    this.kind = kind;
    this.loading = new FutureTask<>(() -> LoadedModel.of(kind));
    this.inferenceThreads =
        new InferenceThreads(config.threads(), config.queueLimit(), config.queueTimeout());
    this.partsLimit = config.partsLimit();
  }

  /** Tokenizer and model, ready to run. */
  private record LoadedModel(E5InputBuilder parts, OnnxModel model) {

    /** Loads the model and runs it once, so that the first caller need not wait for that. */
    static LoadedModel of(E5Model kind) {
      var parts = new E5InputBuilder(kind.loadTokenizer());
      OnnxModel model = kind.loadModel();
      try {
        model.run(
            parts.buildInputs(E5Model.prefix(EmbeddingPurpose.QUERY), kind.model()).getFirst());
        return new LoadedModel(parts, model);
      } catch (Throwable t) {
        try (model) {
          throw t;
        }
      }
    }
  }

  /**
   * Creates an embedder; refuses a build without the model's files at once, without loading them.
   */
  static InProcessEmbedder open(InProcessSettings config) {
    E5Model kind = E5Model.of(config.model());
    kind.requireFiles();
    return new InProcessEmbedder(kind, config);
  }

  /** Begins to load, unless that has begun. */
  void startLoading() {
    if (begun.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("caliber-model-load").start(this::load);
    }
  }

  private LoadedModel awaitLoaded() {
    startLoading();
    return await(loading);
  }

  private void load() {
    loading.run();
    if (loading.state() == Future.State.FAILED) {
      LOG.error("The embedding model could not be loaded", loading.exceptionNow());
    }
  }

  @Override
  public boolean isReady() {
    return loading.state() == Future.State.SUCCESS;
  }

  @Override
  public void awaitReady() {
    awaitLoaded();
  }

  @Override
  public String model() {
    return kind.model();
  }

  @Override
  public int dimensions() {
    return E5Model.DIMENSIONS;
  }

  @Override
  public String prefix(EmbeddingPurpose embeddingPurpose) {
    return E5Model.prefix(embeddingPurpose);
  }

  @Override
  public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    if (closed.get()) {
      throw ModelsException.closed();
    }
    var started = new ArrayList<SubmittedText>();
    for (String text : texts) {
      started.add(submitText(embeddingPurpose, text));
    }
    return started.stream().map(SubmittedText::result).toList();
  }

  private SubmittedText submitText(EmbeddingPurpose embeddingPurpose, String text) {
    try {
      LoadedModel loadedModel = awaitLoaded();
      return new AcceptedText(
          submit(
              embeddingPurpose,
              loadedModel.model(),
              tokenizeParts(loadedModel, embeddingPurpose, text)));
    } catch (CaliberException e) {
      return new RefusedText(e);
    }
  }

  private List<long[]> tokenizeParts(
      LoadedModel loadedModel, EmbeddingPurpose embeddingPurpose, String text) {
    if (text.isBlank()) {
      throw KernelException.requiredFieldMissing("text to embed");
    }
    List<long[]> all = loadedModel.parts().buildInputs(prefix(embeddingPurpose), text);
    if (all.size() > partsLimit) {
      throw ModelsException.tooManyParts(partsLimit, all.size());
    }
    return all;
  }

  private List<PartResult> submit(
      EmbeddingPurpose embeddingPurpose, OnnxModel model, List<long[]> all) {
    var submitted = new ArrayList<PartResult>();
    try {
      for (long[] part : all) {
        submitted.add(
            new PartResult(
                part.length, inferenceThreads.submit(embeddingPurpose, () -> model.run(part))));
      }
      return submitted;
    } catch (CaliberException e) {
      submitted.forEach(partResult -> partResult.vector().cancel(false));
      throw e;
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      inferenceThreads.close();
      unload();
    }
  }

  /** Closes the model once loading ends: loading cannot be interrupted. */
  private void unload() {
    if (begun.compareAndSet(false, true)) {
      loading.cancel(false); // the model was never used, and never will be
      return;
    }
    try {
      await(loading).model().close();
    } catch (CaliberException e) {
      LOG.debug("The model was never loaded, so there is none to close", e);
    }
  }

  /** Text that was submitted for embedding, or refused at once. */
  private sealed interface SubmittedText {
    Embedding result();
  }

  private record RefusedText(CaliberException reason) implements SubmittedText {
    @Override
    public Embedding result() {
      return EmbeddingFailures.toEmbedding(reason);
    }
  }

  private record PartResult(int pieces, Future<float[]> vector) {}

  private record AcceptedText(List<PartResult> parts) implements SubmittedText {
    @Override
    public Embedding result() {
      try {
        var sum = new float[E5Model.DIMENSIONS];
        for (PartResult partResult : parts) {
          UnitVectors.addWeighted(
              sum, UnitVectors.normalized(await(partResult.vector())), partResult.pieces());
        }
        return Embedding.of(UnitVectors.normalized(sum));
      } catch (CaliberException e) {
        return EmbeddingFailures.toEmbedding(e);
      }
    }
  }

  private static <T> T await(Future<T> result) {
    try {
      return result.get();
    } catch (CancellationException _) {
      throw ModelsException.closed();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CaliberException known
          ? known
          : ModelsException.embeddingFailed("in process", e);
    }
  }
}
