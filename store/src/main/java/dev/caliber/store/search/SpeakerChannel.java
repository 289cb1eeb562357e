package dev.caliber.store.search;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/** Says 1 of every document whose speaker the query names. */
final class SpeakerChannel {

  private final List<LeafReaderContext> leaves;
  private final List<String> speakers;

  SpeakerChannel(IndexSearcher searcher, List<String> speakers) {
    this.leaves = searcher.getIndexReader().leaves();
    this.speakers = speakers;
  }

  void score(List<Candidate> byDocument) throws IOException {
    for (String speaker : speakers) {
      score(byDocument, new Term(IndexFormatV1.text(Searchable.Role.SPEAKER), speaker));
    }
  }

  private void score(List<Candidate> byDocument, Term speaker) throws IOException {
    int leaf = -1;
    PostingsEnum said = null;
    for (Candidate candidate : byDocument) {
      int in = ReaderUtil.subIndex(candidate.document(), leaves);
      if (in != leaf) {
        leaf = in;
        said = leaves.get(in).reader().postings(speaker, PostingsEnum.NONE);
      }
      if (reaches(said, candidate.document() - leaves.get(in).docBase)) {
        candidate.raw(Channel.SPEAKER, 1);
      }
    }
  }

  private static boolean reaches(@Nullable PostingsEnum said, int document) throws IOException {
    if (said == null) {
      return false;
    }
    int at = said.docID();
    return (at < document ? said.advance(document) : at) == document;
  }
}
