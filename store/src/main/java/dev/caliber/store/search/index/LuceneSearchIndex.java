package dev.caliber.store.search.index;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.embed.Chunker;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.store.search.embed.ModelCalibration;
import dev.caliber.store.search.embed.QueryVectorFinder;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.SearchDeclarations;
import dev.caliber.store.search.rank.FilterQueryBuilder;
import dev.caliber.store.search.rank.ParsedQuery;
import dev.caliber.store.search.rank.PreparedQuery;
import dev.caliber.store.search.rank.QueryTextParser;
import dev.caliber.store.search.rank.SearchCandidate;
import dev.caliber.store.search.rank.SearchCandidateRanker;
import dev.caliber.store.search.rank.SearchHitFactory;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
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

/** Search index over all spaces of a store. */
final class LuceneSearchIndex implements SearchIndex {

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final QueryVectorFinder vectors;
  private final QueryTextParser reader;
  private final Optional<EmbeddingJobs> embedding;
  private final Map<SpaceId, SpaceIndex> spaces = new ConcurrentHashMap<>();
  private final AtomicLong uses = new AtomicLong();
  private final IndexScheduler indexScheduler;
  private final List<ChangeFeed.FeedSubscription> watches = new ArrayList<>();
  private volatile boolean closed;

  private LuceneSearchIndex(SpaceIndexDependencies spaceIndexDependencies) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    Optional<ModelCalibration> calibration =
        spaceIndexDependencies
            .embedder()
            .map(embedder -> new ModelCalibration(spaceIndexDependencies.store(), embedder));
    this.reader = new QueryTextParser(spaceIndexDependencies.config().queryAnalysis());
    this.vectors =
        new QueryVectorFinder(
            spaceIndexDependencies.store(),
            spaceIndexDependencies.embedder(),
            calibration,
            spaceIndexDependencies.config().embedding(),
            spaceIndexDependencies.clock());
    this.embedding =
        spaceIndexDependencies
            .embedder()
            .map(
                embedder ->
                    new EmbeddingJobs(
                        spaceIndexDependencies,
                        embedder,
                        calibration.orElseThrow(),
                        this::spaceIndex));
    this.indexScheduler =
        new IndexScheduler(spaceIndexDependencies, this::spaceIndex, embedding, this::closeIdle);
  }

  static SearchIndex open(
      SearchDependencies searchDependencies, Optional<Embedder> embedder, Jobs jobs) {
    embedder.ifPresent(LuceneSearchIndex::requireDimensions);
    SpaceIndexDependencies spaceIndexDependencies =
        new SpaceIndexDependencies(
            searchDependencies.store(),
            searchDependencies.config(),
            searchDependencies.storeConfig(),
            new SearchDeclarations(searchDependencies.declared()),
            embedder,
            searchDependencies.config().indexDirectory(searchDependencies.storeConfig().engine()),
            new Semaphore(searchDependencies.config().indexing().mergeThreads()),
            searchDependencies.clock(),
            searchDependencies.ids());
    LuceneSearchIndex index = new LuceneSearchIndex(spaceIndexDependencies);
    index.embedding.ifPresent(work -> jobs.registerHandler(EmbeddingJobs.KIND, work::run));
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
            spaceIndexDependencies.declarations().all().stream().map(Searchable::table),
            Stream.of(EmbeddingCache.BATCHES));
    followed.forEach(
        table ->
            watches.add(
                spaceIndexDependencies
                    .store()
                    .changes()
                    .subscribe(table, indexScheduler::scheduleSoon)));
    indexScheduler.start();
  }

  /** Returns the index of a space, which must exist. */
  private SpaceIndex spaceIndex(SpaceId space) {
    if (closed) {
      throw SearchException.closed();
    }
    SpaceIndex present = spaces.get(space);
    if (present == null) {
      spaceIndexDependencies.store().changes().head(space); // throws if the space does not exist
      present =
          spaces.computeIfAbsent(space, name -> new SpaceIndex(spaceIndexDependencies, name, uses));
      indexScheduler.scheduleNow(space);
    }
    return present;
  }

  /** Closes the least recently used indexes while more are open than settings allow. */
  private void closeIdle() {
    List<SpaceIndex> open = spaces.values().stream().filter(SpaceIndex::isOpen).toList();
    int over = open.size() - spaceIndexDependencies.config().indexing().openIndexes();
    if (over <= 0) {
      return;
    }
    for (SpaceIndex each :
        open.stream().sorted(Comparator.comparingLong(SpaceIndex::lastUse)).toList()) {
      if (over > 0 && each.closeIfIdle()) {
        over--;
      }
    }
  }

  @Override
  public void awaitSequence(SpaceId space, long sequence) {
    SpaceIndex index = spaceIndex(space);
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      indexScheduler.scheduleNow(space);
      index.awaitSequence(sequence, spaceIndexDependencies.config().general().commitWaitTimeout());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw SearchException.closed();
    }
  }

  @Override
  public SearchResult search(SearchQuery query) {
    requireValid(query);
    SpaceIndex index = spaceIndex(query.space());
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      return search(index, query);
    }
  }

  private SearchResult search(SpaceIndex index, SearchQuery query) {
    if (query.sequence().isPresent() || index.servingGeneration().isEmpty()) {
      awaitSequence(query.space(), query.sequence().orElse(0));
    }
    Optional<Generation> asked = index.servingGeneration();
    try {
      if (needsFreshEmbeddings(query)) {
        embedding.ifPresent(jobs -> jobs.embedNewest(index));
      }
      return executeSearch(index, query);
    } catch (CaliberException e) {
      throw e;
    } catch (IndexSearcher.TooManyClauses | TooComplexToDeterminizeException e) {
      throw SearchException.invalidQuery("the filter of the query is too large: " + e.getMessage());
    } catch (AlreadyClosedException e) {
      return retrySearch(index, query, asked, e);
    } catch (IOException | UncheckedIOException | InternalError | AssertionError e) {
      // an InternalError: a file was truncated; an AssertionError: one of Lucene's own, where they
      // are on
      markSuspect(query.space(), asked);
      throw SearchException.damaged(query.space(), e);
    } catch (RuntimeException e) {
      markSuspect(query.space(), asked); // damaged files cause all kinds of failures
      throw e;
    }
  }

  /**
   * Returns whether the search names a commit: only then it must compare the newest documents by
   * meaning.
   */
  private boolean needsFreshEmbeddings(SearchQuery query) {
    return query.sequence().isPresent()
        && !query.text().isBlank()
        && weights(query).getOrDefault(SearchChannel.DENSE, 0.0) > 0;
  }

  /** Marks files that could not be read for verification; they are rebuilt if they are damaged. */
  private void markSuspect(SpaceId space, Optional<Generation> asked) {
    asked.ifPresent(Generation::markSuspect);
    indexScheduler.scheduleNow(space);
  }

  /**
   * Repeats the search on the generation that has taken over meanwhile; without one, Lucene has
   * closed this one after a failure.
   */
  private SearchResult retrySearch(
      SpaceIndex index, SearchQuery query, Optional<Generation> before, AlreadyClosedException e) {
    if (index.servingGeneration().equals(before)) {
      indexScheduler.scheduleNow(query.space());
      throw closed ? SearchException.closed() : SearchException.damaged(query.space(), e);
    }
    return search(query);
  }

  private void requireValid(SearchQuery query) {
    int most = spaceIndexDependencies.config().general().maxHits();
    if (query.limit() < 1 || query.limit() > most) {
      throw SearchException.invalidQuery(
          "limit: expected 1 to %d hits (search.max-hits), found %d"
              .formatted(query.limit(), most));
    }
    query.weights().values().stream()
        .filter(weight -> !(weight >= 0 && weight <= SearchBounds.MAX_WEIGHT))
        .forEach(
            weight -> {
              throw SearchException.invalidQuery("a channel weighs " + weight);
            });
  }

  private SearchResult executeSearch(SpaceIndex index, SearchQuery query) throws IOException {
    if (closed) {
      throw SearchException.closed();
    }
    Generation generation =
        index
            .servingGeneration()
            .orElseThrow(
                () ->
                    SearchException.indexBehind(
                        query.space(),
                        0,
                        0,
                        spaceIndexDependencies.config().general().commitWaitTimeout()));
    Map<SearchChannel, Double> weights = weights(query);
    ParsedQuery parsedQuery =
        generation.search(searcher -> reader.parse(searcher, generation.analysis(), query.text()));
    QueryVectorFinder.QueryVectorResult queryVectorResult =
        vectors.find(
            query,
            textToEmbed(query, parsedQuery, generation.recipe()),
            generation.recipe(),
            weights.getOrDefault(SearchChannel.DENSE, 0.0) > 0);
    PreparedQuery preparedQuery =
        new PreparedQuery(
            query,
            parsedQuery.words(),
            queryVectorResult.vector(),
            queryVectorResult.model(),
            queryVectorResult.vector().isPresent() ? weights : weightsWithoutVectors(weights),
            parsedQuery,
            query.asOf().orElseGet(spaceIndexDependencies.clock()::instant));
    long sequence = generation.state().cursor().sequence();
    RankedHits rankedHits =
        generation.search(searcher -> hits(searcher, generation, preparedQuery));
    return new SearchResult(
        rankedHits.hits,
        rankedHits.fusion,
        sequence,
        generation.name(),
        generation.count(IndexFormatV1.PENDING),
        degradedReason(
            List.of(
                index.degradedReason(), queryVectorResult.disabledReason(), rankedHits.shortfall)));
  }

  /**
   * Returns the text to embed. A text that is compared with documents is chunked as they are:
   * whole, or its first chunk.
   */
  private static String textToEmbed(
      SearchQuery query, ParsedQuery parsedQuery, IndexRecipe recipe) {
    return query.purpose() == EmbeddingPurpose.QUERY
        ? parsedQuery.subject()
        : new Chunker(recipe.chunks()).chunks(query.text()).stream().findFirst().orElse("");
  }

  private static Optional<String> degradedReason(List<Optional<String>> all) {
    String reasons = all.stream().flatMap(Optional::stream).collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  private Map<SearchChannel, Double> weights(SearchQuery query) {
    Map<SearchChannel, Double> weights =
        new EnumMap<>(spaceIndexDependencies.config().ranking().weights());
    weights.putAll(query.weights());
    return weights;
  }

  /**
   * Returns weights with the share of vectors added to words, so that words and the other channels
   * keep their proportion.
   */
  private static Map<SearchChannel, Double> weightsWithoutVectors(
      Map<SearchChannel, Double> weights) {
    double words = weights.getOrDefault(SearchChannel.LEXICAL, 0.0);
    Map<SearchChannel, Double> shared = new EnumMap<>(weights);
    if (words > 0) {
      shared.put(SearchChannel.LEXICAL, words + weights.getOrDefault(SearchChannel.DENSE, 0.0));
    }
    return shared;
  }

  private record RankedHits(List<SearchHit> hits, String fusion, Optional<String> shortfall) {}

  private RankedHits hits(
      IndexSearcher searcher, Generation generation, PreparedQuery preparedQuery)
      throws IOException {
    FilterQueryBuilder filters =
        new FilterQueryBuilder(spaceIndexDependencies.declarations(), searcher.getIndexReader());
    SearchCandidateRanker searchCandidateRanker =
        new SearchCandidateRanker(
            searcher,
            generation.recipe(),
            spaceIndexDependencies.config(),
            preparedQuery,
            filters.restrictions(preparedQuery.query()),
            filters.restrictionsByTable(preparedQuery.query()));
    List<SearchHit> hits = new ArrayList<>();
    for (SearchCandidate searchCandidate : searchCandidateRanker.rankedCandidates()) {
      hits.add(
          SearchHitFactory.hit(
              searchCandidate, generation.recipe(), preparedQuery, searchCandidateRanker));
    }
    return new RankedHits(
        hits, searchCandidateRanker.fusionText(), searchCandidateRanker.shortfall());
  }

  @Override
  public void deleteVectors(Transaction transaction, Collection<String> texts) {
    Optional<SpaceIndex> index = Optional.ofNullable(spaces.get(transaction.space()));
    try (SpaceIndex.IndexUsage _ = index.map(SpaceIndex::beginUse).orElse(() -> {})) {
      new VectorCacheCleaner(
              spaceIndexDependencies,
              index.flatMap(SpaceIndex::servingGeneration),
              index.flatMap(SpaceIndex::recipe))
          .deleteUnusedVectors(transaction, texts);
    }
  }

  @Override
  public VectorPruneResult pruneVectors(Transaction transaction, int batch) {
    FeedCursor commit = new FeedCursor(transaction.epoch(), transaction.sequence());
    Optional<SpaceIndex> index = Optional.ofNullable(spaces.get(transaction.space()));
    try (SpaceIndex.IndexUsage _ = index.map(SpaceIndex::beginUse).orElse(() -> {})) {
      Optional<Generation> witness = index.flatMap(present -> present.completeGenerationAt(commit));
      return new VectorCacheCleaner(
              spaceIndexDependencies, witness, witness.map(Generation::recipe))
          .prune(transaction, batch);
    }
  }

  @Override
  public SearchStatus status(SpaceId space) {
    SpaceIndex index = spaceIndex(space);
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      if (!index.isOpen() && index.recipe().isPresent()) {
        awaitSequence(space, 0); // its files were closed while it was idle
      }
      return SearchStatusReader.read(
          index,
          spaceIndexDependencies.store().changes().head(space).sequence(),
          embedding.flatMap(jobs -> jobs.failureReason(space)));
    } catch (IOException e) {
      markSuspect(space, index.servingGeneration());
      throw SearchException.damaged(space, e);
    }
  }

  @Override
  public void rebuild(SpaceId space, ProgressListener progressListener) {
    SpaceIndex index = spaceIndex(space);
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      index.rebuild();
      awaitBuilt(space, progressListener);
      compact(space);
    }
  }

  @Override
  public boolean migrate(SpaceId space, ProgressListener progressListener) {
    SpaceIndex index = spaceIndex(space);
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      boolean begun = index.migrate();
      if (begun) {
        awaitBuilt(space, progressListener);
        compact(space);
      }
      return begun;
    }
  }

  /**
   * Merges a new index into one segment, which is searched fastest, for a caller that waits for it.
   */
  private void compact(SpaceId space) {
    Optional<Generation> answering = spaceIndex(space).servingGeneration();
    try {
      if (answering.isPresent()) {
        answering.get().compact();
      }
    } catch (IOException e) {
      throw SearchException.unreadable("Merging the index of space '%s'".formatted(space), e);
    }
    spaceIndex(space).commit();
  }

  private void awaitBuilt(SpaceId space, ProgressListener progressListener) {
    SpaceIndex index = spaceIndex(space);
    indexScheduler.scheduleNow(space);
    long total = spaceIndexDependencies.store().read(space, this::countRecords);
    try {
      index.awaitBuilt(
          () -> {
            progressListener.onProgress("Reading records", index.builtRecords(), total);
            indexScheduler.scheduleNow(
                space); // it takes over once it is merged, which triggers no other check
          });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw SearchException.closed();
    }
    index.commit();
    progressListener.onProgress("Reading records", total, total);
  }

  private long countRecords(dev.caliber.store.Snapshot snapshot) {
    return spaceIndexDependencies.declarations().all().stream()
        .mapToLong(searchable -> snapshot.count(Query.over(searchable.table())))
        .sum();
  }

  @Override
  public void embedPending(SpaceId space, ProgressListener progressListener) {
    awaitSequence(space, spaceIndexDependencies.store().changes().head(space).sequence());
    long total = status(space).backlog();
    embedding.ifPresent(work -> work.embedAll(space, total, progressListener));
    awaitSequence(space, spaceIndexDependencies.store().changes().head(space).sequence());
    progressListener.onProgress(EmbeddingJobs.PHASE, total, total);
  }

  @Override
  public IndexCheckReport check(SpaceId space, ProgressListener progressListener) {
    SpaceIndex index = spaceIndex(space);
    try (SpaceIndex.IndexUsage _ = index.beginUse()) {
      awaitSequence(space, spaceIndexDependencies.store().changes().head(space).sequence());
      Generation answering = index.servingGeneration().orElseThrow();
      requireModel(space, answering.recipe());
      return new IndexChecker(spaceIndexDependencies, space, answering).check(progressListener);
    } catch (IOException e) {
      markSuspect(space, index.servingGeneration());
      throw SearchException.damaged(space, e);
    }
  }

  private void requireModel(SpaceId space, IndexRecipe recipe) {
    if (recipe.model().isPresent() && !recipe.fits(spaceIndexDependencies.embedder())) {
      throw SearchException.notComparable(
          space,
          recipe.model().get(),
          spaceIndexDependencies.embedder().map(Embedder::model).orElse("none"));
    }
  }

  @Override
  public void close() {
    closed = true;
    watches.forEach(ChangeFeed.FeedSubscription::close);
    indexScheduler.close();
    spaces.values().forEach(SpaceIndex::close);
    spaces.clear();
  }
}
