package dev.caliber.testkit;

import dev.caliber.store.Table;
import org.jspecify.annotations.Nullable;

/** Record with binary parts and a unique index, in a table that the feed does not show. */
@SuppressWarnings("ArrayRecordComponent") // that is what is being tested
public record Picture(String id, String owner, String title, byte[] pixels, float[] vector) {

  /** Table of pictures. */
  public static final Table<Picture> PICTURES =
      Table.of("picture", "Pictures, for tests.", Picture.class, Picture::id)
          .text("owner", Picture::owner)
          .text("title", picture -> picture.title().isEmpty() ? null : picture.title())
          .bytes("pixels", Picture::pixels)
          .vector("vector", Picture::vectorOrNull)
          .unique("owner", "title")
          .withoutFeed();

  private float @Nullable [] vectorOrNull() {
    return vector;
  }
}
