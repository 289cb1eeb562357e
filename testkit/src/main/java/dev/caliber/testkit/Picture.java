package dev.caliber.testkit;

import dev.caliber.store.Table;
import org.jspecify.annotations.Nullable;

/** A record with binary parts and a unique index, in a table that the feed does not show. */
@SuppressWarnings("ArrayRecordComponent") // that is what is being tested
public record Picture(String id, String owner, String title, byte[] pixels, float[] vector) {

  /** All pictures. */
  public static final Table<Picture> PICTURES =
      Table.of("picture", "Pictures, for tests.", Picture.class, Picture::id)
          .text("owner", Picture::owner)
          .text("title", picture -> picture.title().isEmpty() ? null : picture.title())
          .bytes("pixels", Picture::pixels)
          .vector("vector", Picture::vectorOrNull)
          .unique("owner", "title")
          .quiet();

  private float @Nullable [] vectorOrNull() {
    return vector;
  }
}
