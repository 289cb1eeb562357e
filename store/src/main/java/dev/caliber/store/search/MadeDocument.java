package dev.caliber.store.search;

import java.util.List;
import org.apache.lucene.document.Document;

/** A record as the index holds it: one Lucene document, and one for each further vector. */
record MadeDocument(String id, List<Document> documents, String print) {

  MadeDocument {
    documents = List.copyOf(documents);
  }
}
