package dev.caliber.store.search.rank;

import static dev.caliber.store.search.SearchChannel.DENSE;
import static dev.caliber.store.search.SearchChannel.LEXICAL;
import static dev.caliber.store.search.SearchChannel.LINKS;
import static dev.caliber.store.search.SearchChannel.NEIGHBOURHOOD;
import static dev.caliber.store.search.SearchChannel.PERIOD;
import static dev.caliber.store.search.SearchChannel.SESSION;
import static dev.caliber.store.search.SearchChannel.SPEAKER;
import static dev.caliber.store.search.SearchChannel.STATEMENT;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.embed.CalibratedSimilarity;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;

/**
 * Ranking of candidates for one query: words and vectors retrieve them, every channel scores all of
 * them, and fusion orders them.
 */
public final class SearchCandidateRanker {

  private static final Set<SearchChannel> BASE = EnumSet.of(LEXICAL, DENSE, SPEAKER);

  private final IndexSearcher searcher;
  private final IndexRecipe recipe;
  private final SearchConfig config;
  private final PreparedQuery preparedQuery;
  private final Optional<Query> filter;
  private final List<Optional<Query>> kinds;
  private final ChannelFusion channelFusion;
  private final SearchCandidateSet searchCandidateSet;
  private final NeighbourhoodChannel neighbourhood;
  private final LexicalChannel lexical;
  private final Optional<DenseChannel> dense;
  private List<Integer> newest = List.of();

  public SearchCandidateRanker(
      IndexSearcher searcher,
      IndexRecipe recipe,
      SearchConfig config,
      PreparedQuery preparedQuery,
      Optional<Query> filter,
      List<Optional<Query>> kinds)
      throws IOException {
    this.searcher = searcher;
    this.recipe = recipe;
    this.config = config;
    this.preparedQuery = preparedQuery;
    this.filter = filter;
    this.kinds = kinds;
    this.channelFusion =
        new ChannelFusion(preparedQuery.weights(), preparedQuery.query().explain());
    this.searchCandidateSet = new SearchCandidateSet(searcher);
    this.neighbourhood = new NeighbourhoodChannel(searcher, config);
    this.lexical = new LexicalChannel(searcher, preparedQuery.words(), config.lexical());
    this.dense = preparedQuery.vector().map(this::denseChannel);
  }

  private DenseChannel denseChannel(float[] vector) {
    return new DenseChannel(searcher, recipe, config.dense(), vector);
  }

  /** Returns the best candidates, at most as many as the query asks for. */
  public List<SearchCandidate> rankedCandidates() throws IOException {
    retrieveCandidates();
    scoreBase();
    if (isContextual() && !isBrowsing()) {
      scoreContext();
    }
    new TimeAndTrustChannels(searcher, config, preparedQuery).score(searchCandidateSet.all());
    channelFusion.fuse(
        searchCandidateSet,
        preparedQuery.query().explain()
            ? EnumSet.allOf(SearchChannel.class)
            : channelFusion.activeChannels());
    scoreMeaning();
    new RelevanceScorer(preparedQuery, config.ranking(), lexical, neighbourhood)
        .score(searchCandidateSet);
    return sortedCandidates()
        .filter(this::isSimilarEnough)
        .limit(preparedQuery.query().limit())
        .toList();
  }

  /** Sorts by score, or by time if the query has nothing that can be scored. */
  private Stream<SearchCandidate> sortedCandidates() {
    return isBrowsing()
        ? searchCandidateSet.all().stream()
            .sorted(Comparator.comparingInt(c -> newest.indexOf(c.document())))
        : searchCandidateSet.all().stream().sorted();
  }

  private boolean isBrowsing() {
    return preparedQuery.words().isEmpty() && preparedQuery.vector().isEmpty();
  }

  /** Returns the reason why the answer is incomplete, if it is. */
  public Optional<String> shortfall() {
    return lexical.isShortened()
        ? Optional.of("the query is too long: the search uses only its rarest words")
        : Optional.empty();
  }

  public String fusionText() {
    return channelFusion.text();
  }

  private boolean isContextual() {
    return preparedQuery.weight(NEIGHBOURHOOD) > 0
        || preparedQuery.weight(SESSION) > 0
        || preparedQuery.weight(LINKS) > 0
        || preparedQuery.weight(STATEMENT) > 0;
  }

  private boolean usesWords() {
    return preparedQuery.weight(LEXICAL) > 0 && !lexical.hasNoClauses();
  }

  private boolean usesVector() {
    return preparedQuery.weight(DENSE) > 0 && dense.isPresent();
  }

  /**
   * Retrieves the best candidates of every table, so that a table of many documents hides no other.
   */
  private void retrieveCandidates() throws IOException {
    for (Optional<Query> kind : kinds) {
      if (usesWords()) {
        addAll(lexical.topDocuments(retrievalDepth(), kind));
      }
      if (usesVector()) {
        addAll(dense.orElseThrow().topDocuments(retrievalDepth(), kind));
      }
    }
    if (isBrowsing()) {
      newest = newestDocuments();
      addAll(newest);
    }
  }

  /**
   * Returns the number of documents that a channel retrieves: the query's limit if it is the only
   * channel, else more, to be weighed.
   */
  private int retrievalDepth() {
    boolean alone = usesWords() != usesVector() && !isContextual() && !hasPriors();
    int limit = preparedQuery.query().limit();
    return alone ? limit : Math.max(limit, config.ranking().candidates());
  }

  private boolean hasPriors() {
    return preparedQuery.weight(SearchChannel.TIME) > 0
        || preparedQuery.weight(SearchChannel.TRUST) > 0
        || (preparedQuery.weight(SPEAKER) > 0 && !preparedQuery.parsedQuery().speakers().isEmpty())
        || (preparedQuery.weight(PERIOD) > 0 && !preparedQuery.parsedQuery().periods().isEmpty());
  }

  private void addAll(Collection<Integer> documents) throws IOException {
    for (int document : documents) {
      searchCandidateSet.add(document);
    }
  }

  /** Returns the newest documents that pass the filter, for a query without words and vector. */
  private List<Integer> newestDocuments() throws IOException {
    Sort order =
        new Sort(
            new SortedNumericSortField(IndexFormatV1.TIME, SortField.Type.LONG, true),
            new SortField(IndexFormatV1.ID, SortField.Type.STRING));
    BooleanQuery.Builder records = new BooleanQuery.Builder().add(first(), Occur.FILTER);
    filter.ifPresent(only -> records.add(only, Occur.FILTER));
    List<Integer> documents = new ArrayList<>();
    for (ScoreDoc found : searcher.search(records.build(), retrievalDepth(), order).scoreDocs) {
      documents.add(found.doc);
    }
    return documents;
  }

  private static Query first() {
    return new TermQuery(new Term(IndexFormatV1.FIRST, IndexFormatV1.YES));
  }

  private void scoreBase() throws IOException {
    List<SearchCandidate> byDocument = searchCandidateSet.byDocument();
    lexical.score(byDocument);
    if (dense.isPresent()) {
      dense.get().score(byDocument, (searchCandidate, raw) -> searchCandidate.setRaw(DENSE, raw));
    }
    new SpeakerChannel(searcher, preparedQuery.parsedQuery().speakers()).score(byDocument);
    channelFusion.fuse(searchCandidateSet, BASE);
  }

  private void scoreMeaning() throws IOException {
    Optional<CenteredQuery> centred = CenteredQuery.of(preparedQuery, recipe.metric());
    if (centred.isPresent()) {
      denseChannel(centred.get().unit())
          .score(
              searchCandidateSet.byDocument(),
              (searchCandidate, product) ->
                  searchCandidate.setSimilarity(centred.get().similarity(product)));
    } else {
      searchCandidateSet.all().forEach(each -> each.rawScore(DENSE).ifPresent(each::setSimilarity));
    }
  }

  private void scoreContext() throws IOException {
    readSequencePositions();
    LinksChannel links = new LinksChannel(searcher, config.ranking());
    List<SearchCandidate> hits =
        searchCandidateSet.byTable().stream()
            .flatMap(
                kind ->
                    kind.stream()
                        .sorted(SearchCandidate.BY_FUSED)
                        .limit(preparedQuery.query().limit()))
            .toList();
    Set<Integer> invited = new TreeSet<>();
    if (preparedQuery.weight(NEIGHBOURHOOD) > 0) {
      invited.addAll(neighbourhood.neighbourDocuments(hits));
    }
    if (preparedQuery.weight(LINKS) > 0) {
      invited.addAll(links.linkedDocuments(hits));
    }
    addPassing(invited);
    if (preparedQuery.weight(NEIGHBOURHOOD) > 0) {
      neighbourhood.score(searchCandidateSet);
    }
    if (preparedQuery.weight(LINKS) > 0) {
      links.score(hits, searchCandidateSet.all());
    }
    if (preparedQuery.weight(STATEMENT) > 0) {
      neighbourhood.scoreStatements(searchCandidateSet.all());
    }
    if (preparedQuery.weight(SESSION) > 0) {
      new SessionChannel(config.ranking()).score(searchCandidateSet.all());
    }
  }

  /** Adds the documents that pass the filter as candidates. */
  private void addPassing(Set<Integer> documents) throws IOException {
    if (!documents.isEmpty()) {
      addAll(passingDocuments(documents));
      scoreBase();
      readSequencePositions();
    }
  }

  private void readSequencePositions() throws IOException {
    SequencePositionReader sequencePositionReader = new SequencePositionReader(searcher);
    for (SearchCandidate searchCandidate : searchCandidateSet.all()) {
      if (!searchCandidate.hasSequencePosition()) {
        sequencePositionReader.read(searchCandidate);
      }
    }
  }

  /** Returns the documents that pass the filter. */
  private Set<Integer> passingDocuments(Set<Integer> documents) throws IOException {
    return filter.isEmpty()
        ? documents
        : FilterEvaluator.passingDocuments(searcher, filter.get(), documents);
  }

  private boolean isSimilarEnough(SearchCandidate searchCandidate) {
    if (preparedQuery.query().minimumSimilarity().isEmpty() || preparedQuery.vector().isEmpty()) {
      return true;
    }
    return preparedQuery.model().isPresent()
        && searchCandidate.rawScore(DENSE).isPresent()
        && CalibratedSimilarity.calibrate(
                recipe, preparedQuery.model().get(), searchCandidate.rawScore(DENSE).getAsDouble())
            >= preparedQuery.query().minimumSimilarity().getAsDouble();
  }

  /** Returns the scores of the channels that scored a candidate, for an explanation. */
  List<SearchHit.ChannelScore> explain(SearchCandidate searchCandidate) {
    List<SearchHit.ChannelScore> scores = new ArrayList<>();
    for (SearchChannel searchChannel :
        new HashSet<>(preparedQuery.weights().keySet()).stream().sorted().toList()) {
      searchCandidate
          .rawScore(searchChannel)
          .ifPresent(raw -> scores.add(explain(searchCandidate, searchChannel, raw)));
    }
    return scores;
  }

  private SearchHit.ChannelScore explain(
      SearchCandidate searchCandidate, SearchChannel searchChannel, double raw) {
    return new SearchHit.ChannelScore(
        searchChannel,
        raw,
        searchCandidate.rank(searchChannel),
        searchCandidate.scaledScore(searchChannel),
        preparedQuery.weight(searchChannel));
  }
}
