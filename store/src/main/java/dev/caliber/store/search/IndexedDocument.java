package dev.caliber.store.search;

import java.util.List;
import org.apache.lucene.document.Document;

/** Record as the index holds it: one Lucene document, and one for each further vector. */
record IndexedDocument(String id, List<Document> documents, String fingerprint) {

  IndexedDocument {
    documents = List.copyOf(documents);
  }
}
