package dev.caliber.store.search;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/** Search over all spaces of a store. */
final class LuceneSearchIndex implements SearchIndex {

  private final Machinery machinery;
  private final QueryVectors vectors;
  private final QueryReader reader;
  private final Optional<EmbeddingJobs> embedding;
  private final Map<SpaceId, SpaceIndex> spaces = new ConcurrentHashMap<>();
  private final AtomicLong uses = new AtomicLong();
  private final Following following;
  private final List<ChangeFeed.Watch> watches = new ArrayList<>();
  private volatile boolean closed;

  private LuceneSearchIndex(Machinery machinery) {
    this.machinery = machinery;
    Optional<Calibration> calibration =
        machinery.embedder().map(embedder -> new Calibration(machinery.store(), embedder));
    this.reader = new QueryReader(machinery.config().reading());
    this.vectors =
        new QueryVectors(
            machinery.store(),
            machinery.embedder(),
            calibration,
            machinery.config().embedding(),
            machinery.clock());
    this.embedding =
        machinery
            .embedder()
            .map(
                embedder ->
                    new EmbeddingJobs(machinery, embedder, calibration.orElseThrow(), this::index));
    this.following = new Following(machinery, this::index, embedding, this::restIdle);
  }

  static SearchIndex open(Parts parts, Optional<Embedder> embedder, Jobs jobs) {
    embedder.ifPresent(LuceneSearchIndex::requireDimensions);
    Machinery machinery =
        new Machinery(
            parts.store(),
            parts.config(),
            parts.storeConfig(),
            new Searchables(parts.declared()),
            embedder,
            parts.config().place(parts.storeConfig().engine()),
            new Semaphore(parts.config().follow().mergeThreads()),
            parts.clock(),
            parts.ids());
    LuceneSearchIndex index = new LuceneSearchIndex(machinery);
    index.embedding.ifPresent(work -> jobs.handle(EmbeddingJobs.KIND, work::run));
    index.start();
    return index;
  }

  private static void requireDimensions(Embedder embedder) {
    int dimensions = embedder.dimensions();
    if (dimensions < 1 || dimensions > SearchBounds.MAX_DIMENSIONS) {
      throw KernelException.invalidValue(
          "dimensions of model " + embedder.model(),
          "1 to " + SearchBounds.MAX_DIMENSIONS,
          Integer.toString(dimensions));
    }
  }

  private void start() {
    Stream<Table<?>> followed =
        Stream.concat(
            machinery.declared().all().stream().map(Searchable::table),
            Stream.of(EmbeddingCache.BATCHES));
    followed.forEach(
        table -> watches.add(machinery.store().changes().watch(table, following::stir)));
    following.start();
    machinery.store().spaces().forEach(following::stir);
  }

  /** The index of a space that is there. */
  private SpaceIndex index(SpaceId space) {
    if (closed) {
      throw SearchException.closed();
    }
    SpaceIndex present = spaces.get(space);
    if (present == null) {
      machinery.store().changes().head(space); // refuses a space that is not there
      present = spaces.computeIfAbsent(space, name -> new SpaceIndex(machinery, name, uses));
      following.urge(space);
    }
    return present;
  }

  /** Closes those that were used longest ago, while more are open than settings say. */
  private void restIdle() {
    List<SpaceIndex> open = spaces.values().stream().filter(SpaceIndex::isOpen).toList();
    int over = open.size() - machinery.config().follow().openIndexes();
    if (over <= 0) {
      return;
    }
    for (SpaceIndex each :
        open.stream().sorted(Comparator.comparingLong(SpaceIndex::lastUse)).toList()) {
      if (over > 0 && each.rest()) {
        over--;
      }
    }
  }

  @Override
  public void await(SpaceId space, long sequence) {
    SpaceIndex index = index(space);
    try (SpaceIndex.Use _ = index.use()) {
      following.urge(space);
      index.await(sequence, machinery.config().general().patience());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw SearchException.closed();
    }
  }

  @Override
  public SearchResult search(SearchQuery query) {
    requireValid(query);
    SpaceIndex index = index(query.space());
    try (SpaceIndex.Use _ = index.use()) {
      return search(index, query);
    }
  }

  private SearchResult search(SpaceIndex index, SearchQuery query) {
    if (query.sequence().isPresent() || index.answering().isEmpty()) {
      await(query.space(), query.sequence().orElse(0));
    }
    Optional<Generation> asked = index.answering();
    try {
      if (seesMeaning(query)) {
        embedding.ifPresent(jobs -> jobs.embedNewest(index));
      }
      return answer(index, query);
    } catch (CaliberException e) {
      throw e;
    } catch (IndexSearcher.TooManyClauses | TooComplexToDeterminizeException e) {
      throw SearchException.invalidQuery("its filter is too large: " + e.getMessage());
    } catch (AlreadyClosedException e) {
      return again(index, query, asked, e);
    } catch (IOException | UncheckedIOException | InternalError | AssertionError e) {
      // an InternalError: a file was cut; an AssertionError: one of Lucene's own, where they are on
      suspect(query.space(), asked);
      throw SearchException.damaged(query.space(), e);
    } catch (RuntimeException e) {
      suspect(query.space(), asked); // damaged files bring all kinds of failures
      throw e;
    }
  }

  /** Only a search that names a commit has to see the meaning of what was just written. */
  private boolean seesMeaning(SearchQuery query) {
    return query.sequence().isPresent()
        && !query.text().isBlank()
        && weights(query).getOrDefault(Channel.DENSE, 0.0) > 0;
  }

  /** What could not be read is looked at soon, and rebuilt if its files are damaged. */
  private void suspect(SpaceId space, Optional<Generation> asked) {
    asked.ifPresent(Generation::suspect);
    following.urge(space);
  }

  /** Another generation may have taken over meanwhile; else Lucene has given this one up. */
  private SearchResult again(
      SpaceIndex index, SearchQuery query, Optional<Generation> before, AlreadyClosedException e) {
    if (index.answering().equals(before)) {
      following.urge(query.space());
      throw closed ? SearchException.closed() : SearchException.damaged(query.space(), e);
    }
    return search(query);
  }

  private void requireValid(SearchQuery query) {
    int most = machinery.config().general().limitMax();
    if (query.limit() < 1 || query.limit() > most) {
      throw SearchException.invalidQuery(
          "it wants %d hits; there are 1 to %d (search.limit-max)".formatted(query.limit(), most));
    }
    query.weights().values().stream()
        .filter(weight -> !(weight >= 0 && weight <= SearchBounds.MAX_WEIGHT))
        .forEach(
            weight -> {
              throw SearchException.invalidQuery("a channel weighs " + weight);
            });
  }

  private SearchResult answer(SpaceIndex index, SearchQuery query) throws IOException {
    if (closed) {
      throw SearchException.closed();
    }
    Generation generation =
        index
            .answering()
            .orElseThrow(
                () ->
                    SearchException.behind(
                        query.space(), 0, 0, machinery.config().general().patience()));
    Map<Channel, Double> weights = weights(query);
    Reading reading =
        generation.search(searcher -> reader.read(searcher, generation.analysis(), query.text()));
    QueryVectors.Found found =
        vectors.find(
            query,
            embedded(query, reading, generation.recipe()),
            generation.recipe(),
            weights.getOrDefault(Channel.DENSE, 0.0) > 0);
    Asked asked =
        new Asked(
            query,
            reading.words(),
            found.vector(),
            found.model(),
            found.vector().isPresent() ? weights : withoutVectors(weights),
            reading,
            query.asOf().orElseGet(machinery.clock()::instant));
    long sequence = generation.state().cursor().sequence();
    Hits hits = generation.search(searcher -> hits(searcher, generation, asked));
    return new SearchResult(
        hits.hits,
        hits.fusion,
        sequence,
        generation.name(),
        generation.count(IndexFormatV1.PENDING),
        degraded(List.of(index.trouble(), found.off(), hits.shortfall)));
  }

  /** A text that is compared with others is embedded as they are: whole, or its first piece. */
  private static String embedded(SearchQuery query, Reading reading, IndexRecipe recipe) {
    return query.purpose() == Purpose.QUERY
        ? reading.subject()
        : new Chunker(recipe.chunks()).chunks(query.text()).stream().findFirst().orElse("");
  }

  private static Optional<String> degraded(List<Optional<String>> all) {
    String reasons = all.stream().flatMap(Optional::stream).collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  private Map<Channel, Double> weights(SearchQuery query) {
    Map<Channel, Double> weights = new EnumMap<>(machinery.config().ranking().weights());
    weights.putAll(query.weights());
    return weights;
  }

  /** Words then count what both would, so that they keep their share against the other channels. */
  private static Map<Channel, Double> withoutVectors(Map<Channel, Double> weights) {
    double words = weights.getOrDefault(Channel.LEXICAL, 0.0);
    Map<Channel, Double> shared = new EnumMap<>(weights);
    if (words > 0) {
      shared.put(Channel.LEXICAL, words + weights.getOrDefault(Channel.DENSE, 0.0));
    }
    return shared;
  }

  private record Hits(List<SearchHit> hits, String fusion, Optional<String> shortfall) {}

  private Hits hits(IndexSearcher searcher, Generation generation, Asked asked) throws IOException {
    FilterQueries filters = new FilterQueries(machinery.declared(), searcher.getIndexReader());
    Ranking ranking =
        new Ranking(
            searcher,
            generation.recipe(),
            machinery.config(),
            asked,
            filters.of(asked.query()),
            filters.byKind(asked.query()));
    List<SearchHit> hits = new ArrayList<>();
    for (Candidate candidate : ranking.ranked()) {
      hits.add(HitMaker.hit(candidate, generation.recipe(), asked, ranking));
    }
    return new Hits(hits, ranking.fusionText(), ranking.shortfall());
  }

  @Override
  public void forget(Transaction transaction, Collection<String> texts) {
    Optional<SpaceIndex> index = Optional.ofNullable(spaces.get(transaction.space()));
    try (SpaceIndex.Use _ = index.map(SpaceIndex::use).orElse(() -> {})) {
      new VectorSweep(
              machinery, index.flatMap(SpaceIndex::answering), index.flatMap(SpaceIndex::recipe))
          .sweep(transaction, texts);
    }
  }

  @Override
  public Pruned prune(Transaction transaction, int batch) {
    FeedCursor commit = new FeedCursor(transaction.epoch(), transaction.sequence());
    Optional<SpaceIndex> index = Optional.ofNullable(spaces.get(transaction.space()));
    try (SpaceIndex.Use _ = index.map(SpaceIndex::use).orElse(() -> {})) {
      Optional<Generation> witness = index.flatMap(present -> present.witness(commit));
      return new VectorSweep(machinery, witness, witness.map(Generation::recipe))
          .prune(transaction, batch);
    }
  }

  @Override
  public SearchStatus status(SpaceId space) {
    SpaceIndex index = index(space);
    try (SpaceIndex.Use _ = index.use()) {
      if (!index.isOpen() && index.recipe().isPresent()) {
        await(space, 0); // its files were closed while it was idle
      }
      return StatusReader.read(
          index,
          machinery.store().changes().head(space).sequence(),
          embedding.flatMap(jobs -> jobs.trouble(space)));
    } catch (IOException e) {
      suspect(space, index.answering());
      throw SearchException.damaged(space, e);
    }
  }

  @Override
  public void rebuild(SpaceId space, Progress progress) {
    SpaceIndex index = index(space);
    try (SpaceIndex.Use _ = index.use()) {
      index.rebuild();
      awaitBuilt(space, progress);
      compact(space);
    }
  }

  @Override
  public boolean migrate(SpaceId space, Progress progress) {
    SpaceIndex index = index(space);
    try (SpaceIndex.Use _ = index.use()) {
      boolean begun = index.migrate();
      if (begun) {
        awaitBuilt(space, progress);
        compact(space);
      }
      return begun;
    }
  }

  /** Whoever waits for a new index gets it in one piece, which is searched fastest. */
  private void compact(SpaceId space) {
    Optional<Generation> answering = index(space).answering();
    try {
      if (answering.isPresent()) {
        answering.get().compact();
      }
    } catch (IOException e) {
      throw SearchException.unreadable("Merging the index of space '%s'".formatted(space), e);
    }
    index(space).commit();
  }

  private void awaitBuilt(SpaceId space, Progress progress) {
    SpaceIndex index = index(space);
    following.urge(space);
    long total = machinery.store().read(space, this::records);
    try {
      index.awaitBuilt(
          () -> {
            progress.at("Reading records", index.built(), total);
            following.urge(space); // it takes over when it is merged, which nobody else tells
          });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw SearchException.closed();
    }
    index.commit();
    progress.at("Reading records", total, total);
  }

  private long records(dev.caliber.store.Snapshot snapshot) {
    return machinery.declared().all().stream()
        .mapToLong(searchable -> snapshot.count(Query.over(searchable.table())))
        .sum();
  }

  @Override
  public void embed(SpaceId space, Progress progress) {
    await(space, machinery.store().changes().head(space).sequence());
    long total = status(space).backlog();
    embedding.ifPresent(work -> work.embedAll(space, total, progress));
    await(space, machinery.store().changes().head(space).sequence());
    progress.at(EmbeddingJobs.PHASE, total, total);
  }

  @Override
  public IndexCheck check(SpaceId space, Progress progress) {
    SpaceIndex index = index(space);
    try (SpaceIndex.Use _ = index.use()) {
      await(space, machinery.store().changes().head(space).sequence());
      Generation answering = index.answering().orElseThrow();
      requireModel(space, answering.recipe());
      return new IndexChecker(machinery, space, answering).check(progress);
    } catch (IOException e) {
      suspect(space, index.answering());
      throw SearchException.damaged(space, e);
    }
  }

  private void requireModel(SpaceId space, IndexRecipe recipe) {
    if (recipe.model().isPresent() && !recipe.fits(machinery.embedder())) {
      throw SearchException.notComparable(
          space, recipe.model().get(), machinery.embedder().map(Embedder::model).orElse("none"));
    }
  }

  @Override
  public void close() {
    closed = true;
    watches.forEach(ChangeFeed.Watch::close);
    following.close();
    spaces.values().forEach(SpaceIndex::close);
    spaces.clear();
  }
}
