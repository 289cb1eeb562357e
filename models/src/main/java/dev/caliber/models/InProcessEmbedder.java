package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.ModelsConfig.InProcess;
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
 * Runs e5-small-v2 in this process; a long text's vector is the mean of its parts'. The model loads
 * on a thread of its own, when it is told to or when somebody needs it, who then waits for it.
 */
final class InProcessEmbedder implements Embedder {
  private static final Logger LOG = LoggerFactory.getLogger(InProcessEmbedder.class);

  private final E5 kind;
  private final FutureTask<Loaded> loading;
  private final Workers workers;
  private final int partsLimit;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private InProcessEmbedder(E5 kind, InProcess config) {
    this.kind = kind;
    this.loading = new FutureTask<>(() -> Loaded.of(kind));
    this.workers = new Workers(config.threads(), config.queueLimit(), config.patience());
    this.partsLimit = config.partsLimit();
  }

  /** The tokenizer and the model, ready to run. */
  private record Loaded(E5Parts parts, OnnxModel model) {

    /** Runs it once, so that the first caller need not wait for that. */
    static Loaded of(E5 kind) {
      var parts = new E5Parts(kind.pieces());
      OnnxModel model = kind.load();
      try {
        model.run(parts.of(E5.prefix(Purpose.QUERY), kind.model()).getFirst());
        return new Loaded(parts, model);
      } catch (Throwable t) {
        try (model) {
          throw t;
        }
      }
    }
  }

  /** Refuses a build without the model's files at once; they are not loaded yet. */
  static InProcessEmbedder open(InProcess config) {
    E5 kind = E5.of(config.model());
    kind.requireFiles();
    return new InProcessEmbedder(kind, config);
  }

  /** Begins to load, unless that has begun. */
  void begin() {
    if (begun.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("caliber-model-load").start(this::load);
    }
  }

  private Loaded loaded() {
    begin();
    return await(loading);
  }

  private void load() {
    loading.run();
    if (loading.state() == Future.State.FAILED) {
      LOG.error("The embedding model is not there", loading.exceptionNow());
    }
  }

  @Override
  public boolean isReady() {
    return loading.state() == Future.State.SUCCESS;
  }

  @Override
  public void awaitReady() {
    loaded();
  }

  @Override
  public String model() {
    return kind.model();
  }

  @Override
  public int dimensions() {
    return E5.DIMENSIONS;
  }

  @Override
  public String prefix(Purpose purpose) {
    return E5.prefix(purpose);
  }

  @Override
  public List<Embedding> embed(Purpose purpose, List<String> texts) {
    if (closed.get()) {
      throw ModelsException.closed();
    }
    var started = new ArrayList<Pending>();
    for (String text : texts) {
      started.add(start(purpose, text));
    }
    return started.stream().map(Pending::result).toList();
  }

  private Pending start(Purpose purpose, String text) {
    try {
      Loaded loaded = loaded();
      return new Running(submit(purpose, loaded.model(), parts(loaded, purpose, text)));
    } catch (CaliberException e) {
      return new Refused(e);
    }
  }

  private List<long[]> parts(Loaded loaded, Purpose purpose, String text) {
    if (text.isBlank()) {
      throw KernelException.requiredFieldMissing("text to embed");
    }
    List<long[]> all = loaded.parts().of(prefix(purpose), text);
    if (all.size() > partsLimit) {
      throw ModelsException.tooManyParts(partsLimit, all.size());
    }
    return all;
  }

  private List<Part> submit(Purpose purpose, OnnxModel model, List<long[]> all) {
    var submitted = new ArrayList<Part>();
    try {
      for (long[] part : all) {
        submitted.add(new Part(part.length, workers.submit(purpose, () -> model.run(part))));
      }
      return submitted;
    } catch (CaliberException e) {
      submitted.forEach(part -> part.vector().cancel(false));
      throw e;
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      workers.close();
      unload();
    }
  }

  /** Loading cannot be stopped half way: what it ends with is closed. */
  private void unload() {
    if (begun.compareAndSet(false, true)) {
      loading.cancel(false); // nobody has needed it, and nobody will
      return;
    }
    try {
      await(loading).model().close();
    } catch (CaliberException e) {
      LOG.debug("There was no model to close", e);
    }
  }

  /** A text that is under way, or that was refused at once. */
  private sealed interface Pending {
    Embedding result();
  }

  private record Refused(CaliberException reason) implements Pending {
    @Override
    public Embedding result() {
      return Failures.of(reason);
    }
  }

  private record Part(int pieces, Future<float[]> vector) {}

  private record Running(List<Part> parts) implements Pending {
    @Override
    public Embedding result() {
      try {
        var sum = new float[E5.DIMENSIONS];
        for (Part part : parts) {
          UnitVectors.add(sum, UnitVectors.of(await(part.vector())), part.pieces());
        }
        return Embedding.of(UnitVectors.of(sum));
      } catch (CaliberException e) {
        return Failures.of(e);
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
