package dev.caliber.store.search.rank;

/** Lucene document and its score. */
record ScoredDocument(int document, float score) {}
