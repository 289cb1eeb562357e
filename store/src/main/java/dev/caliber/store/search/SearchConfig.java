package dev.caliber.store.search;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code [search]} part of {@code caliber.toml}; the starter file explains every key. */
public record SearchConfig(
    @SettingKey("") GeneralSearchSettings general,
    WordAnalysisSettings analysis,
    LexicalSettings lexical,
    DenseSettings dense,
    ChunkSettings chunks,
    SearchRankingSettings ranking,
    QueryAnalysisSettings queryAnalysis,
    IndexingSettings indexing,
    TextEmbeddingSettings embedding) {

  /** Settings of the index as a whole. */
  public record GeneralSearchSettings(
      Path directory,
      @SettingRange("1ms to 10m") Duration commitWaitTimeout,
      @SettingRange("1 to 10000 hits") int maxHits,
      MigrationMode migration) {

    /** Returns these settings with another directory. */
    public GeneralSearchSettings withDirectory(Path other) {
      return new GeneralSearchSettings(other, commitWaitTimeout, maxHits, migration);
    }
  }

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
      @SettingRange("0 to 100 weight") double k1,
      @SettingRange("0 to 1 share") double b,
      @SettingRange("0 to 1000 weight") double bodyWeight,
      @SettingRange("0 to 1000 weight") double titleWeight,
      @SettingRange("0 to 1000 weight") double speakerWeight) {}

  /** Settings of vector comparison and search. */
  public record DenseSettings(
      VectorMetric metric,
      VectorIndexType index,
      @SettingRange("2 to 512 links") int hnswM,
      @SettingRange("1 to 3200 candidates") int hnswEfConstruction,
      @SettingRange("1 to 3200 candidates") int hnswEfSearch,
      @SettingRange("0 to 10000000 vectors") int exactBelow,
      @SettingRange("0 to 10000000 vectors") int exactBelowFiltered,
      @SettingRange("2 to 10000000 vectors") int graphMinVectors) {}

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
  public record ChunkSettings(
      @SettingRange("16 to 1000000 characters") int characters,
      @SettingRange("0 to 1000000 characters") int overlap,
      @SettingRange("1 to 10000 pieces") int maxChunks) {}

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
      @SettingRange("0 to 1 share") double wordLift,
      @SettingRange("0 to 1000 weight") double neighbourLift,
      @SettingRange("0 to 1000 weight") double standaloneLift,
      @SettingRange("0 to 1 share") double firstWordLift,
      @SettingRange("1 to 100000 hits") int candidates,
      @SettingKey("") @SettingRange("0 to 1000 weight") Map<SearchChannel, Double> weights,
      @SettingRange("0 to 100 documents") int neighbourDistance,
      @SettingRange("0 to 1 share") double distanceDecay,
      @SettingRange("1 to 100000 documents") int sessionDocuments,
      @SettingRange("1 to 5 links") int linkHops,
      @SettingRange("1 to 1000 links") int linkLimit,
      @SettingRange("1s to 36500d") Duration recencyHalfLife) {
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
      @SettingRange("0s to 36500d") Duration periodGrace,
      @SettingRange("0 to 1 share") double periodGraceShare,
      @SettingRange("1 to 1000000 characters") int questionMaxLength,
      @SettingRange("0 to 1000 factor") double answerLift) {
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
      @SettingRange("1 to 256 threads") int threads,
      @SettingRange("1 to 256 threads") int mergeThreads,
      @SettingRange("0s to 10m") Duration batchDelay,
      @SettingRange("1 to 10000 commits") int commitsPerStep,
      @SettingRange("1 to 10000 records") int recordsPerStep,
      @SettingRange("1MiB to 1GiB") DataSize bufferSize,
      @SettingRange("1ms to 10m") Duration interval,
      @SettingRange("1 to 1000000 indexes") int openIndexes) {}

  /**
   * Settings of embedding, in the background and within searches.
   *
   * @param beforeSearchLimit number of pending documents that a search embeds before it answers
   * @param batchRetention how long the message about a batch is kept in the store
   * @param cacheRetention how long an unused vector is kept
   */
  public record TextEmbeddingSettings(
      @SettingRange("1 to 10000 texts") int batch,
      @SettingRange("1 to 10000 documents") int documentsPerCommit,
      @SettingRange("0 to 10000 documents") int beforeSearchLimit,
      @SettingRange("0 to 1000000 vectors") int queryCacheSize,
      @SettingRange("0s to 10m") Duration retryPause,
      @SettingRange("1ms to 36500d") Duration batchRetention,
      @SettingRange("1ms to 36500d") Duration cacheRetention) {}

  /** Returns the settings of the starter file. */
  public static SearchConfig starter() {
    return StarterSettings.read("search", SearchConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public SearchConfig with(String... lines) {
    return StarterSettings.override("search", this, lines);
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

  /** Returns these settings with another index directory. */
  public SearchConfig withDirectory(Path other) {
    return withGeneral(general.withDirectory(other));
  }
}
