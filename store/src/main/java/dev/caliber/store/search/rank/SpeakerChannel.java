package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/** Channel that gives 1 to every document whose speaker the query names. */
final class SpeakerChannel {

  private final List<LeafReaderContext> leaves;
  private final List<String> speakers;

  SpeakerChannel(IndexSearcher searcher, List<String> speakers) {
    this.leaves = searcher.getIndexReader().leaves();
    this.speakers = speakers;
  }

  void score(List<SearchCandidate> byDocument) throws IOException {
    for (String speaker : speakers) {
      score(byDocument, new Term(IndexFormatV1.textField(Searchable.TextRole.SPEAKER), speaker));
    }
  }

  private void score(List<SearchCandidate> byDocument, Term speaker) throws IOException {
    int leaf = -1;
    PostingsEnum said = null;
    for (SearchCandidate searchCandidate : byDocument) {
      int in = ReaderUtil.subIndex(searchCandidate.document(), leaves);
      if (in != leaf) {
        leaf = in;
        said = leaves.get(in).reader().postings(speaker, PostingsEnum.NONE);
      }
      if (containsDocument(said, searchCandidate.document() - leaves.get(in).docBase)) {
        searchCandidate.setRaw(SearchChannel.SPEAKER, 1);
      }
    }
  }

  private static boolean containsDocument(@Nullable PostingsEnum said, int document)
      throws IOException {
    if (said == null) {
      return false;
    }
    int at = said.docID();
    return (at < document ? said.advance(document) : at) == document;
  }
}
