package dev.caliber.store.search.index;

import static dev.caliber.store.search.format.IndexFormatV1.YES;

import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreException;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.embed.CachedVectorLookup;
import dev.caliber.store.search.embed.CachedVectors;
import dev.caliber.store.search.format.Fingerprint;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexTimestamps;
import dev.caliber.store.search.format.IndexedDocument;
import dev.caliber.store.search.format.KeywordValues;
import dev.caliber.store.search.format.QuestionDetector;
import dev.caliber.store.search.format.SearchDeclarations;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.search.format.WordAnalyzer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converter of records into index documents, by their declarations. */
final class IndexDocumentFactory {

  private static final Logger LOG = LoggerFactory.getLogger(IndexDocumentFactory.class);

  private final SearchDeclarations declared;
  private final WordAnalyzer wordAnalyzer;
  private final CachedVectorLookup vectors;
  private final VectorSimilarity vectorSimilarity;

  IndexDocumentFactory(
      SearchDeclarations declared,
      WordAnalyzer wordAnalyzer,
      CachedVectorLookup vectors,
      VectorSimilarity vectorSimilarity) {
    this.declared = declared;
    this.wordAnalyzer = wordAnalyzer;
    this.vectors = vectors;
    this.vectorSimilarity = vectorSimilarity;
  }

  /** Returns the document that the index should hold for this id now; empty if none. */
  Optional<IndexedDocument> make(Snapshot snapshot, String id) {
    return declared
        .find(IndexFormatV1.tableOf(id))
        .flatMap(searchable -> make(snapshot, searchable, id));
  }

  private <T> Optional<IndexedDocument> make(
      Snapshot snapshot, Searchable<T> searchable, String id) {
    return snapshot
        .find(searchable.table(), IndexFormatV1.keyOf(id))
        .flatMap(record -> make(snapshot, searchable, id, record));
  }

  <T> Optional<IndexedDocument> make(
      Snapshot snapshot, Searchable<T> searchable, String id, T record) {
    try {
      return searchable.includes(record)
          ? Optional.of(new DocumentDraft<>(searchable, id, record).make(snapshot))
          : Optional.empty();
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) { // thrown by the declaration's functions for this record alone
      LOG.warn("Record {} cannot be indexed and is marked as failed in the search index", id, e);
      return Optional.of(failedDocument(id));
    }
  }

  /**
   * Returns the replacement for a document that cannot be made: it is counted, and no search finds
   * it.
   */
  static IndexedDocument failedDocument(String id) {
    Fingerprint print = new Fingerprint();
    print.add(IndexFormatV1.FAILED, YES);
    Document document = new Document();
    document.add(new StringField(IndexFormatV1.ID, id, Store.NO));
    document.add(new SortedDocValuesField(IndexFormatV1.ID, new BytesRef(id)));
    document.add(new StringField(IndexFormatV1.FAILED, YES, Store.NO));
    document.add(new SortedDocValuesField(IndexFormatV1.PRINT, new BytesRef(print.text())));
    return new IndexedDocument(id, List.of(document), print.text());
  }

  private final class DocumentDraft<T> {
    private final Searchable<T> searchable;
    private final String id;
    private final T record;
    private final Fingerprint print = new Fingerprint();

    DocumentDraft(Searchable<T> searchable, String id, T record) {
      this.searchable = searchable;
      this.id = id;
      this.record = record;
    }

    IndexedDocument make(Snapshot snapshot) {
      CachedVectors found = vectors.find(snapshot, searchable.embeddedText(record));
      Document first = commonDocument();
      first.add(new StringField(IndexFormatV1.FIRST, YES, Store.NO));
      addTexts(first);
      addQuestionShare(first);
      addSequencePosition(first);
      addLinks(first);
      addTrust(first);
      addStates(first, found);
      found.keys().forEach(key -> first.add(new StringField(IndexFormatV1.KEY, key, Store.NO)));
      List<Document> all = withVectors(first, found.vectors());
      first.add(new SortedDocValuesField(IndexFormatV1.PRINT, new BytesRef(print.text())));
      return new IndexedDocument(id, all, print.text());
    }

    /** Returns the fields of every chunk: the record's id, and all filter fields. */
    private Document commonDocument() {
      Document document = new Document();
      document.add(new StringField(IndexFormatV1.ID, id, Store.NO));
      document.add(new SortedDocValuesField(IndexFormatV1.ID, new BytesRef(id)));
      document.add(new StringField(IndexFormatV1.TABLE, searchable.table().name(), Store.NO));
      addTime(document);
      for (Map.Entry<String, Searchable.FilterField<T>> field : searchable.fields().entrySet()) {
        addFilter(document, field.getKey(), field.getValue());
      }
      return document;
    }

    private void addTime(Document document) {
      Instant time = searchable.timeOf(record);
      if (time != null) {
        document.add(new LongField(IndexFormatV1.TIME, IndexTimestamps.micros(time), Store.NO));
        print.add(IndexFormatV1.TIME, time);
      }
    }

    private void addFilter(Document document, String name, Searchable.FilterField<T> filterField) {
      Object value = filterField.value().apply(record);
      List<Object> values = values(value);
      for (Object one : values) {
        addValue(document, IndexFormatV1.filterField(name), filterField.kind(), one);
        print.add(name, one);
      }
      if (!values.isEmpty()) {
        document.add(new StringField(IndexFormatV1.HAS, name, Store.NO));
      }
    }

    private static List<Object> values(@Nullable Object value) {
      if (value instanceof Collection<?> many) {
        return List.copyOf(many);
      }
      return value == null ? List.of() : List.of(value);
    }

    private void addValue(
        Document document, String name, Searchable.FilterFieldKind filterFieldKind, Object value) {
      document.add(
          switch (filterFieldKind) {
            case KEYWORD, FLAG -> new StringField(name, KeywordValues.indexedText(value), Store.NO);
            case NUMBER -> new DoubleField(name, ((Number) value).doubleValue(), Store.NO);
            case TIME -> new LongField(name, IndexTimestamps.micros((Instant) value), Store.NO);
          });
    }

    private void addTexts(Document document) {
      Map<Searchable.TextRole, Integer> lengths = new EnumMap<>(Searchable.TextRole.class);
      for (Searchable.SearchableText<T> searchableText : searchable.texts()) {
        String value = searchableText.value().apply(record);
        if (value != null && !value.isBlank()) {
          String name = IndexFormatV1.textField(searchableText.role());
          document.add(new TextField(name, value, Store.NO));
          lengths.merge(searchableText.role(), wordAnalyzer.words(value).size(), Integer::sum);
          print.add(name, value);
        }
      }
      lengths.forEach(
          (textRole, length) -> addLength(document, IndexFormatV1.textField(textRole), length));
    }

    private static void addLength(Document document, String field, int length) {
      if (length > 0) {
        document.add(new NumericDocValuesField(IndexFormatV1.lengthField(field), length));
      }
    }

    private void addQuestionShare(Document document) {
      String body = searchable.bodyOf(record);
      if (!body.isEmpty()) {
        long share = Double.doubleToLongBits(QuestionDetector.questionShare(body));
        document.add(new NumericDocValuesField(IndexFormatV1.ASKING, share));
        document.add(new NumericDocValuesField(IndexFormatV1.CHARACTERS, body.length()));
      }
    }

    private void addSequencePosition(Document document) {
      String group = searchable.groupOf(record);
      if (group == null) {
        return;
      }
      document.add(
          new StringField(IndexFormatV1.GROUP, KeywordValues.indexedText(group), Store.NO));
      document.add(
          new SortedDocValuesField(
              IndexFormatV1.GROUP, new BytesRef(KeywordValues.indexedText(group))));
      print.add(IndexFormatV1.GROUP, group);
      Number position = searchable.positionOf(record);
      if (position != null) {
        document.add(new NumericDocValuesField(IndexFormatV1.POSITION, position.longValue()));
        print.add(IndexFormatV1.POSITION, position);
      }
    }

    private void addLinks(Document document) {
      for (String linked : searchable.linksOf(record, id)) {
        document.add(new SortedSetDocValuesField(IndexFormatV1.LINKS, new BytesRef(linked)));
        print.add(IndexFormatV1.LINKS, linked);
      }
    }

    private void addTrust(Document document) {
      Double trust = searchable.trustOf(record);
      if (trust != null) {
        long bits = Double.doubleToLongBits(Math.clamp(trust, 0, 1));
        document.add(new NumericDocValuesField(IndexFormatV1.TRUST, bits));
        print.add(IndexFormatV1.TRUST, trust);
      }
    }

    private void addStates(Document document, CachedVectors found) {
      addState(document, IndexFormatV1.PENDING, found.pending());
      addState(document, IndexFormatV1.FAILED, found.failed());
    }

    private void addState(Document document, String name, boolean holds) {
      if (holds) {
        document.add(new StringField(name, YES, Store.NO));
        print.add(name, YES);
      }
    }

    private List<Document> withVectors(Document first, List<float[]> found) {
      List<Document> all = new ArrayList<>(List.of(first));
      for (int i = 0; i < found.size(); i++) {
        Document place = i == 0 ? first : commonDocument();
        place.add(
            new KnnFloatVectorField(
                IndexFormatV1.VECTOR, found.get(i), vectorSimilarity.function()));
        print.add(found.get(i));
        if (i > 0) {
          place.add(new NumericDocValuesField(IndexFormatV1.OFFSET, i));
          all.add(place);
        }
      }
      first.add(new NumericDocValuesField(IndexFormatV1.PIECES, all.size()));
      return all;
    }
  }
}
