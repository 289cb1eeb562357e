package dev.caliber.store.search;

/** One of Lucene's documents and what it scored. */
record Scored(int document, float score) {}
