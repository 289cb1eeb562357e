package dev.caliber.store.search.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class VectorsFormatTest {
  private static final int DIMENSIONS = 8;
  private static final int GRAPH_FROM = 500;
  private static final int FILE_WITHOUT_GRAPH = 200;

  @Test
  @DisplayName("HNSW-03: a merge builds a graph over as many vectors as settings say, a flush none")
  void aGraphIsBuiltWhereItSaves() throws IOException {
    assertThat(graph(GRAPH_FROM * 9 / 10, true)).isLessThan(FILE_WITHOUT_GRAPH);
    assertThat(graph(GRAPH_FROM * 11 / 10, true)).isGreaterThan(GRAPH_FROM);
    assertThat(graph(GRAPH_FROM * 11 / 10, false)).isLessThan(FILE_WITHOUT_GRAPH);
  }

  /** Returns the bytes of all graphs. */
  private static long graph(int documents, boolean merged) throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, settings())) {
      fill(writer, documents, merged ? documents / 2 : documents);
      writer.forceMerge(1);
      writer.commit();
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += file.endsWith(".vex") ? directory.fileLength(file) : 0;
      }
      return bytes;
    }
  }

  private static IndexWriterConfig settings() {
    SearchConfig config =
        SearchConfig.starter().with("search.dense.graph-min-vectors = " + GRAPH_FROM);
    IndexRecipe recipe =
        IndexRecipe.of(new SearchDeclarations(List.of()), config, Optional.of("test"), DIMENSIONS);
    IndexWriterConfig settings =
        new IndexWriterConfig()
            .setCodec(new IndexCodec(recipe, config.dense()))
            .setUseCompoundFile(false);
    settings.getMergePolicy().setNoCFSRatio(0);
    return settings;
  }

  private static void fill(IndexWriter writer, int documents, int part) throws IOException {
    RandomSource randomSource = RandomSource.seeded(1);
    for (int i = 1; i <= documents; i++) {
      float[] vector = new float[DIMENSIONS];
      for (int place = 0; place < DIMENSIONS; place++) {
        vector[place] = 1 + randomSource.nextInt(100);
      }
      Document document = new Document();
      document.add(new KnnFloatVectorField(IndexFormatV1.VECTOR, vector));
      writer.addDocument(document);
      if (i % part == 0) {
        writer.flush();
      }
    }
  }
}
