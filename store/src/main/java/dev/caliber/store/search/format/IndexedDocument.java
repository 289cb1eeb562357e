package dev.caliber.store.search.format;

import java.util.List;
import org.apache.lucene.document.Document;

/** Record as the index holds it: one Lucene document, and one for each further vector. */
public record IndexedDocument(String id, List<Document> documents, String fingerprint) {

  public IndexedDocument {
    documents = List.copyOf(documents);
  }
}
