package dev.caliber.store.search.format;

import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Analyzer of English text: lower case, without possessives and stop words, stemmed. */
public final class WordAnalyzer extends Analyzer {

  private final SearchConfig.Stemmer stemmer;
  private final CharArraySet stopWords;

  public WordAnalyzer(SearchConfig.WordAnalysisSettings rules) {
    stemmer = rules.stemmer();
    stopWords = CharArraySet.unmodifiableSet(new CharArraySet(rules.stopWords(), true));
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    Tokenizer words = new StandardTokenizer();
    TokenStream plain = new LowerCaseFilter(new EnglishPossessiveFilter(words));
    return new TokenStreamComponents(words, stemmed(new StopFilter(plain, stopWords)));
  }

  private TokenStream stemmed(TokenStream words) {
    return switch (stemmer) {
      case PORTER -> new PorterStemFilter(words);
      case K_STEM -> new KStemFilter(words);
      case MINIMAL -> new EnglishMinimalStemFilter(words);
      case NONE -> words;
    };
  }

  /** Returns the words of a text, as they are in the index. */
  public List<String> words(String text) {
    List<String> words = new ArrayList<>();
    try (TokenStream stream = tokenStream(IndexFormatV1.ID, text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        words.add(term.toString());
      }
      stream.end();
      return words;
    } catch (IOException e) {
      throw SearchException.unreadable("Reading a text", e);
    }
  }
}
