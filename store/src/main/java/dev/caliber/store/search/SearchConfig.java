package dev.caliber.store.search;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The {@code [search]} part of {@code caliber.toml}; the starter file explains every key. */
public record SearchConfig(
    General general,
    Analysis analysis,
    Lexical lexical,
    Dense dense,
    Chunks chunks,
    Ranking ranking,
    Reading reading,
    Follow follow,
    Embedding embedding) {

  private static final String STARTER = "starter.toml";

  /** What concerns the index as a whole. */
  public record General(Path directory, Duration patience, int limitMax, Migration migration) {}

  /** Who starts a migration. */
  public enum Migration {
    AUTOMATIC,
    COMMAND
  }

  /** How text becomes words. */
  public record Analysis(Stemmer stemmer, List<String> stopWords) {
    public Analysis {
      stopWords = List.copyOf(stopWords);
    }
  }

  /** How words are brought to their stem. */
  public enum Stemmer {
    PORTER,
    K_STEM,
    MINIMAL,
    NONE
  }

  /** How words are scored. */
  public record Lexical(
      double k1, double b, double bodyWeight, double titleWeight, double speakerWeight) {}

  /** How vectors are compared and searched. */
  public record Dense(
      Metric metric,
      VectorIndex index,
      int hnswM,
      int hnswEfConstruction,
      int hnswEfSearch,
      int exactBelow,
      int exactFiltered,
      int graphFrom) {}

  /** How two vectors are compared. */
  public enum Metric {
    COSINE,
    L2,
    INNER_PRODUCT
  }

  /** How near vectors are found. */
  public enum VectorIndex {
    HNSW,
    EXACT
  }

  /** How long texts are cut for embedding. */
  public record Chunks(int characters, int overlap, int limit) {}

  /**
   * How channels become one order.
   *
   * @param wordLift how far the query's words lift a document from its similarity towards 1
   * @param neighbourLift how far relevant documents beside it lift a document
   * @param standaloneLift how much more a document of a kind without sequences counts for the first
   *     place
   */
  public record Ranking(
      double wordLift,
      double neighbourLift,
      double standaloneLift,
      int candidates,
      Map<Channel, Double> weights,
      int window,
      double decay,
      int sessionBest,
      int linkHops,
      int linkLimit,
      Duration halfLife) {
    public Ranking {
      weights = Map.copyOf(weights);
    }
  }

  /**
   * What is read from the wording of a query and of documents.
   *
   * @param questionWords words of a query that are not searched for
   * @param askerWords the words by which the asking person means himself
   * @param asker the speaker who is meant by them
   * @param embedsNames whether names of speakers stay in what is embedded of a query
   * @param grace how long after a period it is still spoken of
   * @param graceShare what a document of that time counts
   * @param askingLength up to so many characters a question is nothing else
   * @param answerLift how much more an answered question speaks for the document after it
   */
  public record Reading(
      List<String> questionWords,
      List<String> askerWords,
      String asker,
      boolean embedsNames,
      Duration grace,
      double graceShare,
      int askingLength,
      double answerLift) {
    public Reading {
      questionWords = List.copyOf(questionWords);
      askerWords = List.copyOf(askerWords);
    }
  }

  /**
   * How the index follows the feed.
   *
   * @param openIndexes how many indexes of spaces stay open while they are idle
   */
  public record Follow(
      int threads,
      int mergeThreads,
      Duration gather,
      int commits,
      int records,
      DataSize buffer,
      Duration interval,
      int openIndexes) {}

  /**
   * How texts are embedded, in the background and within searches.
   *
   * @param withinSearch how many documents that wait a search embeds before it answers
   * @param retention how long others are told of a batch
   * @param cacheRetention how long a vector is kept that nothing uses
   */
  public record Embedding(
      int batch,
      int documents,
      int withinSearch,
      int queries,
      Duration queryPause,
      Duration retention,
      Duration cacheRetention) {
    public Embedding withinSearch(int other) {
      return new Embedding(batch, documents, other, queries, queryPause, retention, cacheRetention);
    }
  }

  /** What the jar's own file says. */
  public static SearchConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    SearchConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [search]} part, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(SearchConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [search]} part; the caller verifies the settings once all parts are read. */
  public static SearchConfig from(Settings settings) {
    return new SearchConfig(
        general(settings.section("search")),
        analysis(settings.section("search.analysis")),
        lexical(settings.section("search.lexical")),
        dense(settings.section("search.dense")),
        chunks(settings.section("search.chunks")),
        ranking(settings.section("search.ranking")),
        reading(settings.section("search.reading")),
        follow(settings.section("search.follow")),
        embedding(settings.section("search.embedding")));
  }

  /** Where indexes of a store on this engine are kept; empty for a store in memory. */
  public Optional<Path> place(StoreConfig.EngineConfig engine) {
    return switch (engine) {
      case StoreConfig.Sqlite sqlite -> Optional.of(sqlite.searchDirectory());
      case StoreConfig.InMemory _ -> Optional.empty();
      case StoreConfig.Postgres _ -> Optional.of(general.directory());
    };
  }

  public SearchConfig withGeneral(General other) {
    return new SearchConfig(
        other, analysis, lexical, dense, chunks, ranking, reading, follow, embedding);
  }

  public SearchConfig withAnalysis(Analysis other) {
    return new SearchConfig(
        general, other, lexical, dense, chunks, ranking, reading, follow, embedding);
  }

  public SearchConfig withDense(Dense other) {
    return new SearchConfig(
        general, analysis, lexical, other, chunks, ranking, reading, follow, embedding);
  }

  public SearchConfig withChunks(Chunks other) {
    return new SearchConfig(
        general, analysis, lexical, dense, other, ranking, reading, follow, embedding);
  }

  public SearchConfig withRanking(Ranking other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, other, reading, follow, embedding);
  }

  public SearchConfig withFollow(Follow other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, ranking, reading, other, embedding);
  }

  public SearchConfig withEmbedding(Embedding other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, ranking, reading, follow, other);
  }

  private static General general(Section section) {
    return new General(
        Path.of(section.text("directory")),
        section.duration("wait", SearchBounds.MIN_WAIT, SearchBounds.MAX_WAIT),
        section.in("hits").whole("limit-max", 1, SearchBounds.MAX_LIMIT),
        section.oneOf("migration", Migration.class));
  }

  private static Analysis analysis(Section section) {
    return new Analysis(section.oneOf("stemmer", Stemmer.class), section.texts("stop-words"));
  }

  private static Lexical lexical(Section section) {
    return new Lexical(
        section.in("weight").real("k1", 0, SearchBounds.MAX_K1),
        section.in("share").real("b", 0, 1),
        weight(section, "body-weight"),
        weight(section, "title-weight"),
        weight(section, "speaker-weight"));
  }

  private static double weight(Section section, String key) {
    return section.in("weight").real(key, 0, SearchBounds.MAX_WEIGHT);
  }

  private static Dense dense(Section section) {
    return new Dense(
        section.oneOf("metric", Metric.class),
        section.oneOf("index", VectorIndex.class),
        section.in("links").whole("hnsw-m", SearchBounds.MIN_M, SearchBounds.MAX_M),
        section.in("candidates").whole("hnsw-ef-construction", 1, SearchBounds.MAX_EF),
        section.in("candidates").whole("hnsw-ef-search", 1, SearchBounds.MAX_EF),
        section.in("vectors").whole("exact-below", 0, SearchBounds.MAX_EXACT),
        section.in("vectors").whole("exact-filtered", 0, SearchBounds.MAX_EXACT),
        section.in("vectors").whole("graph-from", SearchBounds.MIN_GRAPH, SearchBounds.MAX_EXACT));
  }

  private static Chunks chunks(Section section) {
    return new Chunks(
        section
            .in("characters")
            .whole("characters", SearchBounds.MIN_CHUNK, SearchBounds.MAX_CHUNK),
        section.in("characters").whole("overlap", 0, SearchBounds.MAX_CHUNK),
        section.in("pieces").whole("limit", 1, SearchBounds.MAX_CHUNKS));
  }

  private static Ranking ranking(Section section) {
    return new Ranking(
        section.in("share").real("word-lift", 0, 1),
        weight(section, "neighbour-lift"),
        weight(section, "standalone-lift"),
        section.in("hits").whole("candidates", 1, SearchBounds.MAX_CANDIDATES),
        weights(section),
        section.in("documents").whole("window", 0, SearchBounds.MAX_WINDOW),
        section.in("share").real("decay", 0, 1),
        section.in("documents").whole("session-best", 1, SearchBounds.MAX_CANDIDATES),
        section.in("links").whole("link-hops", 1, SearchBounds.MAX_HOPS),
        section.in("links").whole("link-limit", 1, SearchBounds.MAX_LINKS),
        section.duration("half-life", SearchBounds.MIN_HALF_LIFE, SearchBounds.MAX_HALF_LIFE));
  }

  private static Map<Channel, Double> weights(Section section) {
    Map<Channel, Double> weights = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      weights.put(channel, weight(section, channel.name().toLowerCase(Locale.ROOT)));
    }
    return weights;
  }

  private static Reading reading(Section section) {
    return new Reading(
        section.texts("question-words"),
        section.texts("asker-words"),
        section.text("asker"),
        section.flag("embeds-names"),
        section.duration("period-grace", Duration.ZERO, SearchBounds.MAX_HALF_LIFE),
        section.in("share").real("period-grace-share", 0, 1),
        section.in("characters").whole("asking-length", 1, SearchBounds.MAX_CHUNK),
        section.in("factor").real("answer-lift", 0, SearchBounds.MAX_WEIGHT));
  }

  private static Follow follow(Section section) {
    return new Follow(
        section.in("threads").whole("threads", 1, SearchBounds.MAX_THREADS),
        section.in("threads").whole("merge-threads", 1, SearchBounds.MAX_THREADS),
        section.duration("gather", Duration.ZERO, SearchBounds.MAX_WAIT),
        section.in("commits").whole("commits", 1, SearchBounds.MAX_BATCH),
        section.in("records").whole("records", 1, SearchBounds.MAX_BATCH),
        section.size("buffer", SearchBounds.MIN_BUFFER, SearchBounds.MAX_BUFFER),
        section.duration("interval", SearchBounds.MIN_WAIT, SearchBounds.MAX_WAIT),
        section.in("indexes").whole("open-indexes", 1, SearchBounds.MAX_OPEN));
  }

  private static Embedding embedding(Section section) {
    return new Embedding(
        section.in("texts").whole("batch", 1, SearchBounds.MAX_BATCH),
        section.in("documents").whole("documents", 1, SearchBounds.MAX_BATCH),
        section.in("documents").whole("within-search", 0, SearchBounds.MAX_BATCH),
        section.in("vectors").whole("queries", 0, SearchBounds.MAX_QUERIES),
        section.duration("query-pause", Duration.ZERO, SearchBounds.MAX_WAIT),
        section.duration("retention", SearchBounds.MIN_WAIT, SearchBounds.MAX_HALF_LIFE),
        section.duration("cache-retention", SearchBounds.MIN_WAIT, SearchBounds.MAX_HALF_LIFE));
  }
}
