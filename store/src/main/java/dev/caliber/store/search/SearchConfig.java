package dev.caliber.store.search;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
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
    GeneralSearchSettings general,
    WordAnalysisSettings analysis,
    LexicalSettings lexical,
    DenseSettings dense,
    ChunkSettings chunks,
    SearchRankingSettings ranking,
    QueryAnalysisSettings queryAnalysis,
    IndexingSettings indexing,
    TextEmbeddingSettings embedding) {

  private static final String STARTER = "starter.toml";

  /** Settings of the index as a whole. */
  public record GeneralSearchSettings(
      Path directory, Duration commitWaitTimeout, int maxHits, MigrationMode migration) {}

  /** Trigger of a migration. */
  public enum MigrationMode {
    AUTOMATIC,
    COMMAND
  }

  /** Settings of word analysis. */
  public record WordAnalysisSettings(Stemmer stemmer, List<String> stopWords) {
    public WordAnalysisSettings {
      stopWords = List.copyOf(stopWords);
    }
  }

  /** Algorithm that reduces words to their stem. */
  public enum Stemmer {
    PORTER,
    K_STEM,
    MINIMAL,
    NONE
  }

  /** Settings of word scoring. */
  public record LexicalSettings(
      double k1, double b, double bodyWeight, double titleWeight, double speakerWeight) {}

  /** Settings of vector comparison and search. */
  public record DenseSettings(
      VectorMetric metric,
      VectorIndexType index,
      int hnswM,
      int hnswEfConstruction,
      int hnswEfSearch,
      int exactBelow,
      int exactBelowFiltered,
      int graphMinVectors) {}

  /** Measure by which two vectors are compared. */
  public enum VectorMetric {
    COSINE,
    L2,
    INNER_PRODUCT
  }

  /** Method by which near vectors are found. */
  public enum VectorIndexType {
    HNSW,
    EXACT
  }

  /** Sizes of the chunks into which long texts are split for embedding. */
  public record ChunkSettings(int characters, int overlap, int maxChunks) {}

  /**
   * Settings of the ranking over channels.
   *
   * @param wordLift how far the query's words raise a document from its similarity towards 1
   * @param neighbourLift how far relevant neighbours raise a document
   * @param standaloneLift how much more a document of a table without sequences counts for the
   *     first rank
   * @param firstWordLift wordLift for the first rank
   */
  public record SearchRankingSettings(
      double wordLift,
      double neighbourLift,
      double standaloneLift,
      double firstWordLift,
      int candidates,
      Map<SearchChannel, Double> weights,
      int neighbourDistance,
      double distanceDecay,
      int sessionDocuments,
      int linkHops,
      int linkLimit,
      Duration recencyHalfLife) {
    public SearchRankingSettings {
      weights = Map.copyOf(weights);
    }
  }

  /**
   * Settings for the wording of queries and documents.
   *
   * @param questionWords words of a query that are not searched for
   * @param selfWords the words with which the asking person refers to himself
   * @param selfSpeaker the speaker whom they refer to
   * @param embedSpeakerNames whether names of speakers remain in the embedded text of a query
   * @param periodGrace time after a period in which texts still report on it
   * @param periodGraceShare the weight of a document of that time
   * @param questionMaxLength number of characters up to which a question is nothing else
   * @param answerLift how much more an answered question raises the document after it
   */
  public record QueryAnalysisSettings(
      List<String> questionWords,
      List<String> selfWords,
      String selfSpeaker,
      boolean embedSpeakerNames,
      Duration periodGrace,
      double periodGraceShare,
      int questionMaxLength,
      double answerLift) {
    public QueryAnalysisSettings {
      questionWords = List.copyOf(questionWords);
      selfWords = List.copyOf(selfWords);
    }
  }

  /**
   * Settings of following the feed.
   *
   * @param openIndexes number of idle indexes that stay open
   */
  public record IndexingSettings(
      int threads,
      int mergeThreads,
      Duration batchDelay,
      int commitsPerStep,
      int recordsPerStep,
      DataSize bufferSize,
      Duration interval,
      int openIndexes) {}

  /**
   * Settings of embedding, in the background and within searches.
   *
   * @param beforeSearchLimit number of pending documents that a search embeds before it answers
   * @param batchRetention how long the message about a batch is kept in the store
   * @param cacheRetention how long an unused vector is kept
   */
  public record TextEmbeddingSettings(
      int batch,
      int documentsPerCommit,
      int beforeSearchLimit,
      int queryCacheSize,
      Duration retryPause,
      Duration batchRetention,
      Duration cacheRetention) {
    public TextEmbeddingSettings withBeforeSearchLimit(int other) {
      return new TextEmbeddingSettings(
          batch,
          documentsPerCommit,
          other,
          queryCacheSize,
          retryPause,
          batchRetention,
          cacheRetention);
    }
  }

  /** Returns the settings of the starter file in the jar. */
  public static SearchConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    SearchConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [search]} part of the starter file, with a sentence for every key. */
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
        queryAnalysis(settings.section("search.query-analysis")),
        indexing(settings.section("search.indexing")),
        embedding(settings.section("search.embedding")));
  }

  /** Returns the index directory of a store on this engine; empty for a store in memory. */
  public Optional<Path> indexDirectory(StoreConfig.EngineSettings engine) {
    return switch (engine) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          Optional.of(sqliteSettings.searchDirectory());
      case StoreConfig.InMemorySettings _ -> Optional.empty();
      case StoreConfig.PostgresSettings _ -> Optional.of(general.directory());
    };
  }

  public SearchConfig withGeneral(GeneralSearchSettings other) {
    return new SearchConfig(
        other, analysis, lexical, dense, chunks, ranking, queryAnalysis, indexing, embedding);
  }

  public SearchConfig withAnalysis(WordAnalysisSettings other) {
    return new SearchConfig(
        general, other, lexical, dense, chunks, ranking, queryAnalysis, indexing, embedding);
  }

  public SearchConfig withDense(DenseSettings other) {
    return new SearchConfig(
        general, analysis, lexical, other, chunks, ranking, queryAnalysis, indexing, embedding);
  }

  public SearchConfig withChunks(ChunkSettings other) {
    return new SearchConfig(
        general, analysis, lexical, dense, other, ranking, queryAnalysis, indexing, embedding);
  }

  public SearchConfig withRanking(SearchRankingSettings other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, other, queryAnalysis, indexing, embedding);
  }

  public SearchConfig withIndexing(IndexingSettings other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, ranking, queryAnalysis, other, embedding);
  }

  public SearchConfig withEmbedding(TextEmbeddingSettings other) {
    return new SearchConfig(
        general, analysis, lexical, dense, chunks, ranking, queryAnalysis, indexing, other);
  }

  private static GeneralSearchSettings general(SettingsSection settingsSection) {
    return new GeneralSearchSettings(
        Path.of(settingsSection.text("directory")),
        settingsSection.duration(
            "commit-wait-timeout", SearchBounds.MIN_WAIT, SearchBounds.MAX_WAIT),
        settingsSection.withUnit("hits").wholeNumber("max-hits", 1, SearchBounds.MAX_LIMIT),
        settingsSection.oneOf("migration", MigrationMode.class));
  }

  private static WordAnalysisSettings analysis(SettingsSection settingsSection) {
    return new WordAnalysisSettings(
        settingsSection.oneOf("stemmer", Stemmer.class), settingsSection.texts("stop-words"));
  }

  private static LexicalSettings lexical(SettingsSection settingsSection) {
    return new LexicalSettings(
        settingsSection.withUnit("weight").decimalNumber("k1", 0, SearchBounds.MAX_K1),
        settingsSection.withUnit("share").decimalNumber("b", 0, 1),
        weight(settingsSection, "body-weight"),
        weight(settingsSection, "title-weight"),
        weight(settingsSection, "speaker-weight"));
  }

  private static double weight(SettingsSection settingsSection, String key) {
    return settingsSection.withUnit("weight").decimalNumber(key, 0, SearchBounds.MAX_WEIGHT);
  }

  private static DenseSettings dense(SettingsSection settingsSection) {
    return new DenseSettings(
        settingsSection.oneOf("metric", VectorMetric.class),
        settingsSection.oneOf("index", VectorIndexType.class),
        settingsSection
            .withUnit("links")
            .wholeNumber("hnsw-m", SearchBounds.MIN_M, SearchBounds.MAX_M),
        settingsSection
            .withUnit("candidates")
            .wholeNumber("hnsw-ef-construction", 1, SearchBounds.MAX_EF),
        settingsSection
            .withUnit("candidates")
            .wholeNumber("hnsw-ef-search", 1, SearchBounds.MAX_EF),
        settingsSection.withUnit("vectors").wholeNumber("exact-below", 0, SearchBounds.MAX_EXACT),
        settingsSection
            .withUnit("vectors")
            .wholeNumber("exact-below-filtered", 0, SearchBounds.MAX_EXACT),
        settingsSection
            .withUnit("vectors")
            .wholeNumber("graph-min-vectors", SearchBounds.MIN_GRAPH, SearchBounds.MAX_EXACT));
  }

  private static ChunkSettings chunks(SettingsSection settingsSection) {
    return new ChunkSettings(
        settingsSection
            .withUnit("characters")
            .wholeNumber("characters", SearchBounds.MIN_CHUNK, SearchBounds.MAX_CHUNK),
        settingsSection.withUnit("characters").wholeNumber("overlap", 0, SearchBounds.MAX_CHUNK),
        settingsSection.withUnit("pieces").wholeNumber("max-chunks", 1, SearchBounds.MAX_CHUNKS));
  }

  private static SearchRankingSettings ranking(SettingsSection settingsSection) {
    return new SearchRankingSettings(
        settingsSection.withUnit("share").decimalNumber("word-lift", 0, 1),
        weight(settingsSection, "neighbour-lift"),
        weight(settingsSection, "standalone-lift"),
        settingsSection.withUnit("share").decimalNumber("first-word-lift", 0, 1),
        settingsSection.withUnit("hits").wholeNumber("candidates", 1, SearchBounds.MAX_CANDIDATES),
        weights(settingsSection),
        settingsSection
            .withUnit("documents")
            .wholeNumber("neighbour-distance", 0, SearchBounds.MAX_WINDOW),
        settingsSection.withUnit("share").decimalNumber("distance-decay", 0, 1),
        settingsSection
            .withUnit("documents")
            .wholeNumber("session-documents", 1, SearchBounds.MAX_CANDIDATES),
        settingsSection.withUnit("links").wholeNumber("link-hops", 1, SearchBounds.MAX_HOPS),
        settingsSection.withUnit("links").wholeNumber("link-limit", 1, SearchBounds.MAX_LINKS),
        settingsSection.duration(
            "recency-half-life", SearchBounds.MIN_HALF_LIFE, SearchBounds.MAX_HALF_LIFE));
  }

  private static Map<SearchChannel, Double> weights(SettingsSection settingsSection) {
    Map<SearchChannel, Double> weights = new EnumMap<>(SearchChannel.class);
    for (SearchChannel searchChannel : SearchChannel.values()) {
      weights.put(
          searchChannel, weight(settingsSection, searchChannel.name().toLowerCase(Locale.ROOT)));
    }
    return weights;
  }

  private static QueryAnalysisSettings queryAnalysis(SettingsSection settingsSection) {
    return new QueryAnalysisSettings(
        settingsSection.texts("question-words"),
        settingsSection.texts("self-words"),
        settingsSection.text("self-speaker"),
        settingsSection.flag("embed-speaker-names"),
        settingsSection.duration("period-grace", Duration.ZERO, SearchBounds.MAX_HALF_LIFE),
        settingsSection.withUnit("share").decimalNumber("period-grace-share", 0, 1),
        settingsSection
            .withUnit("characters")
            .wholeNumber("question-max-length", 1, SearchBounds.MAX_CHUNK),
        settingsSection
            .withUnit("factor")
            .decimalNumber("answer-lift", 0, SearchBounds.MAX_WEIGHT));
  }

  private static IndexingSettings indexing(SettingsSection settingsSection) {
    return new IndexingSettings(
        settingsSection.withUnit("threads").wholeNumber("threads", 1, SearchBounds.MAX_THREADS),
        settingsSection
            .withUnit("threads")
            .wholeNumber("merge-threads", 1, SearchBounds.MAX_THREADS),
        settingsSection.duration("batch-delay", Duration.ZERO, SearchBounds.MAX_WAIT),
        settingsSection
            .withUnit("commits")
            .wholeNumber("commits-per-step", 1, SearchBounds.MAX_BATCH),
        settingsSection
            .withUnit("records")
            .wholeNumber("records-per-step", 1, SearchBounds.MAX_BATCH),
        settingsSection.size("buffer-size", SearchBounds.MIN_BUFFER, SearchBounds.MAX_BUFFER),
        settingsSection.duration("interval", SearchBounds.MIN_WAIT, SearchBounds.MAX_WAIT),
        settingsSection.withUnit("indexes").wholeNumber("open-indexes", 1, SearchBounds.MAX_OPEN));
  }

  private static TextEmbeddingSettings embedding(SettingsSection settingsSection) {
    return new TextEmbeddingSettings(
        settingsSection.withUnit("texts").wholeNumber("batch", 1, SearchBounds.MAX_BATCH),
        settingsSection
            .withUnit("documents")
            .wholeNumber("documents-per-commit", 1, SearchBounds.MAX_BATCH),
        settingsSection
            .withUnit("documents")
            .wholeNumber("before-search-limit", 0, SearchBounds.MAX_BATCH),
        settingsSection
            .withUnit("vectors")
            .wholeNumber("query-cache-size", 0, SearchBounds.MAX_QUERIES),
        settingsSection.duration("retry-pause", Duration.ZERO, SearchBounds.MAX_WAIT),
        settingsSection.duration(
            "batch-retention", SearchBounds.MIN_WAIT, SearchBounds.MAX_HALF_LIFE),
        settingsSection.duration(
            "cache-retention", SearchBounds.MIN_WAIT, SearchBounds.MAX_HALF_LIFE));
  }
}
