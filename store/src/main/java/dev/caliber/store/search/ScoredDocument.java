package dev.caliber.store.search;

/** Lucene document and its score. */
record ScoredDocument(int document, float score) {}
