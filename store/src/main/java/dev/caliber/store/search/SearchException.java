package dev.caliber.store.search;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.spi.Embedding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** Error of search, with its code and, where there is any, advice. */
@SuppressWarnings("serial") // never serialised
public final class SearchException extends CaliberException {

  private final Optional<Duration> retryAfter;

  private SearchException(SearchErrorCode code, String message) {
    this(code, message, Optional.empty());
  }

  private SearchException(SearchErrorCode code, String message, Optional<Duration> retryAfter) {
    super(code, message);
    this.retryAfter = retryAfter;
  }

  private SearchException(SearchErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
    this.retryAfter = Optional.empty();
  }

  @Override
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  public static SearchException modelMismatch(String expected, String found) {
    return new SearchException(
        SearchErrorCode.MODEL_MISMATCH,
        "The vector of the query cannot be compared with the index: expected a vector of model '%s', found one of model '%s'"
            .formatted(expected, found));
  }

  public static SearchException notComparable(SpaceId space, String model, String present) {
    return new SearchException(
        SearchErrorCode.MODEL_MISMATCH,
        "The index of space '%s' holds vectors of model '%s', which cannot be compared with vectors of the configured model '%s'"
            .formatted(space, model, present));
  }

  public static SearchException invalidQuery(String reason) {
    return new SearchException(SearchErrorCode.INVALID_QUERY, "The query cannot be run: " + reason);
  }

  public static SearchException unknownField(String field, Collection<String> known) {
    return new SearchException(
        SearchErrorCode.UNKNOWN_FIELD,
        "No searchable table declares the field '%s'; declared are %s"
            .formatted(field, new TreeSet<>(known)));
  }

  public static SearchException wrongType(String field, String wanted, Object found) {
    return new SearchException(
        SearchErrorCode.INVALID_QUERY,
        "The field '%s' of the query can be compared with %s, not with %s"
            .formatted(field, wanted, found));
  }

  public static SearchException indexBehind(
      SpaceId space, long wanted, long applied, Duration waited) {
    return new SearchException(
        SearchErrorCode.INDEX_BEHIND,
        applied < wanted
            ? "The search index of space '%s' is behind: it has applied commit %d, but not yet commit %d, after a wait of %s"
                .formatted(space, applied, wanted, waited)
            : "The search index of space '%s' is still being built after a wait of %s"
                .formatted(space, waited));
  }

  public static SearchException damaged(SpaceId space, Throwable cause) {
    return new SearchException(
        SearchErrorCode.INDEX_DAMAGED,
        "The search index of space '%s' is damaged and cannot be read: %s"
            .formatted(space, cause.getMessage()),
        cause);
  }

  public static SearchException notBuilt(SpaceId space, String reason) {
    return new SearchException(
        SearchErrorCode.INDEX_UNREADABLE,
        "The search index of space '%s' is not built yet: its last build failed and will be retried: %s"
            .formatted(space, reason));
  }

  public static SearchException inUse(Path directory, Throwable cause) {
    return new SearchException(
        SearchErrorCode.INDEX_IN_USE,
        "The search index cannot be opened: another process uses the directory " + directory,
        cause);
  }

  public static SearchException unreadable(String what, Throwable cause) {
    return new SearchException(
        SearchErrorCode.INDEX_UNREADABLE, what + " failed: " + cause.getMessage(), cause);
  }

  public static SearchException embeddingFailed(Embedding.Failure failure) {
    return new SearchException(
        SearchErrorCode.EMBEDDING_FAILED, failure.toLine(), failure.retryAfter());
  }

  public static SearchException closed() {
    return new SearchException(SearchErrorCode.CLOSED, "This search index is closed");
  }
}
