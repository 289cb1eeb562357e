package dev.caliber.store.search;

import static dev.caliber.store.search.Channel.DENSE;
import static dev.caliber.store.search.Channel.LEXICAL;
import static dev.caliber.store.search.Channel.LINKS;
import static dev.caliber.store.search.Channel.NEIGHBOURHOOD;
import static dev.caliber.store.search.Channel.PERIOD;
import static dev.caliber.store.search.Channel.SESSION;
import static dev.caliber.store.search.Channel.SPEAKER;
import static dev.caliber.store.search.Channel.STATEMENT;

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
 * From a query to ordered candidates: words and vectors bring them, every channel scores all of
 * them, and fusion orders them.
 */
final class Ranking {

  private static final Set<Channel> BASE = EnumSet.of(LEXICAL, DENSE, SPEAKER);

  private final IndexSearcher searcher;
  private final IndexRecipe recipe;
  private final SearchConfig config;
  private final Asked asked;
  private final Optional<Query> filter;
  private final List<Optional<Query>> kinds;
  private final Fusion fusion;
  private final Pool pool;
  private final NeighbourhoodChannel neighbourhood;
  private final LexicalChannel lexical;
  private final Optional<DenseChannel> dense;
  private List<Integer> newest = List.of();

  Ranking(
      IndexSearcher searcher,
      IndexRecipe recipe,
      SearchConfig config,
      Asked asked,
      Optional<Query> filter,
      List<Optional<Query>> kinds)
      throws IOException {
    this.searcher = searcher;
    this.recipe = recipe;
    this.config = config;
    this.asked = asked;
    this.filter = filter;
    this.kinds = kinds;
    this.fusion = new Fusion(asked.weights(), asked.query().explain());
    this.pool = new Pool(searcher);
    this.neighbourhood = new NeighbourhoodChannel(searcher, config);
    this.lexical = new LexicalChannel(searcher, asked.words(), config.lexical());
    this.dense = asked.vector().map(this::denseChannel);
  }

  private DenseChannel denseChannel(float[] vector) {
    return new DenseChannel(searcher, recipe, config.dense(), vector);
  }

  /** The best candidates, at most as many as the query wants. */
  List<Candidate> ranked() throws IOException {
    retrieve();
    scoreBase();
    if (isContextual() && !isBrowsing()) {
      scoreContext();
    }
    new PriorChannels(searcher, config, asked).score(pool.all());
    fusion.fuse(pool, asked.query().explain() ? EnumSet.allOf(Channel.class) : fusion.active());
    scoreMeaning();
    new Relevance(asked, config.ranking(), lexical, neighbourhood).score(pool);
    return ordered().filter(this::isSimilarEnough).limit(asked.query().limit()).toList();
  }

  /** By score; by time if nothing was asked that could be scored. */
  private Stream<Candidate> ordered() {
    return isBrowsing()
        ? pool.all().stream().sorted(Comparator.comparingInt(c -> newest.indexOf(c.document())))
        : pool.all().stream().sorted();
  }

  private boolean isBrowsing() {
    return asked.words().isEmpty() && asked.vector().isEmpty();
  }

  /** Why the answer is less than it could be. */
  Optional<String> shortfall() {
    return lexical.isShortened()
        ? Optional.of("only the rarest words of so long a query count")
        : Optional.empty();
  }

  String fusionText() {
    return fusion.text();
  }

  private boolean isContextual() {
    return asked.weight(NEIGHBOURHOOD) > 0
        || asked.weight(SESSION) > 0
        || asked.weight(LINKS) > 0
        || asked.weight(STATEMENT) > 0;
  }

  private boolean usesWords() {
    return asked.weight(LEXICAL) > 0 && !lexical.isSilent();
  }

  private boolean usesVector() {
    return asked.weight(DENSE) > 0 && dense.isPresent();
  }

  /** Every kind brings its own best, so that a kind of many documents hides no other. */
  private void retrieve() throws IOException {
    for (Optional<Query> kind : kinds) {
      if (usesWords()) {
        addAll(lexical.top(depth(), kind));
      }
      if (usesVector()) {
        addAll(dense.orElseThrow().top(depth(), kind));
      }
    }
    if (isBrowsing()) {
      newest = newest();
      addAll(newest);
    }
  }

  /** One channel alone brings just what is wanted; several bring more, to be weighed. */
  private int depth() {
    boolean alone = usesWords() != usesVector() && !isContextual() && !hasPriors();
    int limit = asked.query().limit();
    return alone ? limit : Math.max(limit, config.ranking().candidates());
  }

  private boolean hasPriors() {
    return asked.weight(Channel.TIME) > 0
        || asked.weight(Channel.TRUST) > 0
        || (asked.weight(SPEAKER) > 0 && !asked.reading().speakers().isEmpty())
        || (asked.weight(PERIOD) > 0 && !asked.reading().periods().isEmpty());
  }

  private void addAll(Collection<Integer> documents) throws IOException {
    for (int document : documents) {
      pool.add(document);
    }
  }

  /** For a query without words and vector: what passes the filter, the newest first. */
  private List<Integer> newest() throws IOException {
    Sort order =
        new Sort(
            new SortedNumericSortField(IndexFormatV1.TIME, SortField.Type.LONG, true),
            new SortField(IndexFormatV1.ID, SortField.Type.STRING));
    BooleanQuery.Builder records = new BooleanQuery.Builder().add(first(), Occur.FILTER);
    filter.ifPresent(only -> records.add(only, Occur.FILTER));
    List<Integer> documents = new ArrayList<>();
    for (ScoreDoc found : searcher.search(records.build(), depth(), order).scoreDocs) {
      documents.add(found.doc);
    }
    return documents;
  }

  private static Query first() {
    return new TermQuery(new Term(IndexFormatV1.FIRST, IndexFormatV1.YES));
  }

  private void scoreBase() throws IOException {
    List<Candidate> byDocument = pool.byDocument();
    lexical.score(byDocument);
    if (dense.isPresent()) {
      dense.get().score(byDocument, (candidate, raw) -> candidate.raw(DENSE, raw));
    }
    new SpeakerChannel(searcher, asked.reading().speakers()).score(byDocument);
    fusion.fuse(pool, BASE);
  }

  private void scoreMeaning() throws IOException {
    Optional<CenteredQuery> centred = CenteredQuery.of(asked, recipe.metric());
    if (centred.isPresent()) {
      denseChannel(centred.get().unit())
          .score(
              pool.byDocument(),
              (candidate, product) -> candidate.meaning(centred.get().similarity(product)));
    } else {
      pool.all().forEach(each -> each.raw(DENSE).ifPresent(each::meaning));
    }
  }

  private void scoreContext() throws IOException {
    readPlaces();
    LinksChannel links = new LinksChannel(searcher, config.ranking());
    List<Candidate> hits =
        pool.kinds().stream()
            .flatMap(kind -> kind.stream().sorted(Candidate.BY_FUSED).limit(asked.query().limit()))
            .toList();
    Set<Integer> invited = new TreeSet<>();
    if (asked.weight(NEIGHBOURHOOD) > 0) {
      invited.addAll(neighbourhood.around(hits));
    }
    if (asked.weight(LINKS) > 0) {
      invited.addAll(links.around(hits));
    }
    invite(invited);
    if (asked.weight(NEIGHBOURHOOD) > 0) {
      neighbourhood.score(pool);
    }
    if (asked.weight(LINKS) > 0) {
      links.score(hits, pool.all());
    }
    if (asked.weight(STATEMENT) > 0) {
      neighbourhood.scoreStatements(pool.all());
    }
    if (asked.weight(SESSION) > 0) {
      new SessionChannel(config.ranking()).score(pool.all());
    }
  }

  /** Those that the filter lets through become candidates. */
  private void invite(Set<Integer> documents) throws IOException {
    if (!documents.isEmpty()) {
      addAll(passing(documents));
      scoreBase();
      readPlaces();
    }
  }

  private void readPlaces() throws IOException {
    Places places = new Places(searcher);
    for (Candidate candidate : pool.all()) {
      if (!candidate.isPlaced()) {
        places.read(candidate);
      }
    }
  }

  /** Those of the documents that the filter lets through. */
  private Set<Integer> passing(Set<Integer> documents) throws IOException {
    return filter.isEmpty() ? documents : Passing.of(searcher, filter.get(), documents);
  }

  private boolean isSimilarEnough(Candidate candidate) {
    if (asked.query().minimumSimilarity().isEmpty() || asked.vector().isEmpty()) {
      return true;
    }
    return asked.model().isPresent()
        && candidate.raw(DENSE).isPresent()
        && Similar.calibrated(recipe, asked.model().get(), candidate.raw(DENSE).getAsDouble())
            >= asked.query().minimumSimilarity().getAsDouble();
  }

  /** The channels that said something of a candidate, for an explanation. */
  List<SearchHit.ChannelScore> explain(Candidate candidate) {
    List<SearchHit.ChannelScore> scores = new ArrayList<>();
    for (Channel channel : new HashSet<>(asked.weights().keySet()).stream().sorted().toList()) {
      candidate.raw(channel).ifPresent(raw -> scores.add(explain(candidate, channel, raw)));
    }
    return scores;
  }

  private SearchHit.ChannelScore explain(Candidate candidate, Channel channel, double raw) {
    return new SearchHit.ChannelScore(
        channel, raw, candidate.rank(channel), candidate.scaled(channel), asked.weight(channel));
  }
}
