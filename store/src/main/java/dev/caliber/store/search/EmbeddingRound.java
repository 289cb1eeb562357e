package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One walk over what waits: some documents at a time get their vectors, in a commit of their own,
 * and followers are told of many at once, because each time costs them a new look at the index. A
 * crash in between loses nothing: the documents still wait, and their vectors are there.
 */
final class EmbeddingRound {

  /** A lease is asked for anew when a third of it is over. */
  private static final int THIRDS = 3;

  private final Machinery machinery;
  private final RecordStore store;
  private final Embedder embedder;
  private final SpaceId space;
  private final BooleanSupplier renewal;
  private final LongConsumer progress;
  private final List<String> untold = new ArrayList<>();
  private Optional<Embedding.Failure> failure = Optional.empty();
  private Instant told;
  private Instant renewed;
  private boolean mine = true;
  private long done;

  /**
   * Nothing is done yet.
   *
   * @param renewal asks from time to time whether to go on
   * @param progress hears how many documents are done
   */
  EmbeddingRound(
      Machinery machinery,
      Embedder embedder,
      SpaceId space,
      BooleanSupplier renewal,
      LongConsumer progress) {
    this.machinery = machinery;
    this.store = machinery.store();
    this.embedder = embedder;
    this.space = space;
    this.renewal = renewal;
    this.progress = progress;
    this.told = machinery.clock().instant();
    this.renewed = told;
  }

  SpaceId space() {
    return space;
  }

  /** True if some were embedded and others may be; false if it is time to stop. */
  boolean embed(Waiting waiting) {
    VectorSource source = new VectorSource(Optional.of(embedder), waiting.recipe());
    List<String> documents = waiting.documents();
    int step = machinery.config().embedding().documents();
    boolean going = true;
    for (int start = 0; start < documents.size() && going; start += step) {
      going = group(source, documents.subList(start, Math.min(documents.size(), start + step)));
    }
    tell();
    return going;
  }

  /** One text that fails holds back no other; an embedder that gives nothing is left alone. */
  private boolean isWorthwhile(boolean moved) {
    return mine && moved && failure.flatMap(Embedding.Failure::retryAfter).isEmpty();
  }

  void requireSuccess() {
    failure.ifPresent(
        found -> {
          throw SearchException.embeddingFailed(found);
        });
  }

  private boolean group(VectorSource source, List<String> documents) {
    Map<String, String> missing =
        store.read(space, snapshot -> missing(snapshot, source, documents));
    List<CachedEmbedding> made = call(missing);
    if (!made.isEmpty()) {
      store.write(space, transaction -> keep(transaction, source, documents, made));
    }
    boolean moved = !made.isEmpty() || missing.isEmpty();
    if (moved) {
      untold.addAll(documents);
      done += documents.size();
      progress.accept(done);
      tellAtTimes();
    }
    return isWorthwhile(moved);
  }

  /** Pieces without a vector by their hash; unchanged text has one. */
  private Map<String, String> missing(
      Snapshot snapshot, VectorSource source, List<String> documents) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String id : documents) {
      for (String chunk : source.chunks(machinery.declared().embeddedText(snapshot, id))) {
        if (source.cached(snapshot, chunk).isEmpty()) {
          missing.put(source.hash(chunk), chunk);
        }
      }
    }
    return missing;
  }

  /** Embeds in batches; one that fails as a whole ends the group. */
  private List<CachedEmbedding> call(Map<String, String> missing) {
    List<Map.Entry<String, String>> all = List.copyOf(missing.entrySet());
    List<CachedEmbedding> made = new ArrayList<>();
    int batch = machinery.config().embedding().batch();
    int before = -1;
    for (int start = 0; start < all.size() && made.size() > before && mine; start += batch) {
      before = made.size();
      callOnce(all.subList(start, Math.min(all.size(), start + batch)), made);
      renewAtTimes();
    }
    return made;
  }

  private void callOnce(List<Map.Entry<String, String>> batch, List<CachedEmbedding> made) {
    List<Embedding> answers =
        embedder.embed(Purpose.PASSAGE, batch.stream().map(Map.Entry::getValue).toList());
    for (int i = 0; i < batch.size(); i++) {
      Embedding answer = answers.get(i);
      if (answer instanceof Embedding.Failure found && !found.ofText()) {
        failure = Optional.of(found);
      } else {
        made.add(cached(batch.get(i).getKey(), answer));
      }
    }
  }

  private CachedEmbedding cached(String hash, Embedding answer) {
    return switch (answer) {
      case Embedding.Vector(var values) ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              machinery.clock().instant(),
              Optional.empty(),
              EmbeddedVector.checked(values, embedder.dimensions()));
      case Embedding.Failure found ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              machinery.clock().instant(),
              Optional.of(found.report()),
              new float[0]);
    };
  }

  /** Only what is still wanted: a text may have been forgotten while the model was at work. */
  private boolean keep(
      Transaction transaction,
      VectorSource source,
      List<String> documents,
      List<CachedEmbedding> made) {
    Set<String> wanted = missing(transaction, source, documents).keySet();
    made.stream()
        .filter(embedding -> wanted.contains(embedding.hash()))
        .forEach(embedding -> EmbeddingCache.insert(transaction, embedding, embedder.dimensions()));
    return true;
  }

  private void tellAtTimes() {
    if (isOver(told, machinery.config().follow().interval())) {
      tell();
    }
  }

  private void tell() {
    told = machinery.clock().instant();
    if (!untold.isEmpty()) {
      List<String> documents = List.copyOf(untold);
      untold.clear();
      store.write(space, transaction -> announce(transaction, documents));
    }
  }

  private boolean announce(Transaction transaction, List<String> documents) {
    int step = machinery.records();
    for (int start = 0; start < documents.size(); start += step) {
      List<String> some = documents.subList(start, Math.min(documents.size(), start + step));
      transaction.insert(
          EmbeddingCache.BATCHES, new EmbeddingBatch(transaction.newId(), transaction.now(), some));
    }
    EmbeddingCache.dropBatchesBefore(
        transaction,
        transaction.now().minus(machinery.config().embedding().retention()),
        machinery.records());
    return true;
  }

  private void renewAtTimes() {
    if (isOver(renewed, machinery.limits().jobs().lease().dividedBy(THIRDS))) {
      renewed = machinery.clock().instant();
      mine = renewal.getAsBoolean();
    }
  }

  private boolean isOver(Instant start, Duration pause) {
    return !machinery.clock().instant().isBefore(start.plus(pause));
  }
}
