package dev.caliber.bench.search;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;

/** Lucene with the vectors of a measurement and no layer above: the rate to compare with. */
final class RawLucene implements AutoCloseable {

  private static final String VECTOR = "v";
  private static final String ID = "id";
  private static final double BUFFER = 256;

  private final FSDirectory directory;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  RawLucene(Path path, SearchCorpus searchCorpus) {
    try {
      directory = FSDirectory.open(path);
      fill(searchCorpus);
      reader = DirectoryReader.open(directory);
      searcher = new IndexSearcher(reader);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Filling Lucene", e);
    }
  }

  private void fill(SearchCorpus searchCorpus) throws IOException {
    SearchConfig.DenseSettings rules = SearchConfig.starter().dense();
    KnnVectorsFormat format =
        new Lucene99HnswVectorsFormat(rules.hnswM(), rules.hnswEfConstruction());
    IndexWriterConfig settings = new IndexWriterConfig();
    settings.setRAMBufferSizeMB(BUFFER);
    settings.setCodec(
        new Lucene104Codec() {
          @Override
          public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
            return format;
          }
        });
    try (IndexWriter writer = new IndexWriter(directory, settings)) {
      for (int i = 0; i < searchCorpus.size(); i++) {
        Document document = new Document();
        document.add(new StringField(ID, SearchCorpus.id(i), Store.NO));
        document.add(new StoredField(ID, SearchCorpus.id(i)));
        document.add(
            new KnnFloatVectorField(
                VECTOR, searchCorpus.vector(i), VectorSimilarityFunction.DOT_PRODUCT));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** Returns the ids of the nearest vectors, with this number of candidates. */
  Set<String> nearest(float[] question, int limit, int candidates) {
    try {
      Set<String> ids = new HashSet<>();
      KnnFloatVectorQuery query = new KnnFloatVectorQuery(VECTOR, question, candidates);
      for (ScoreDoc found : searcher.search(query, limit).scoreDocs) {
        ids.add(searcher.storedFields().document(found.doc).get(ID));
      }
      return ids;
    } catch (IOException e) {
      throw BenchException.preparationFailed("Searching Lucene", e);
    }
  }

  @Override
  public void close() {
    try {
      reader.close();
      directory.close();
    } catch (IOException e) {
      throw BenchException.preparationFailed("Closing Lucene", e);
    }
  }
}
