package dev.caliber.store;

/** How many bytes of the disk a store took before it was compacted, and how many it takes now. */
public record CompactReport(long bytesBefore, long bytesAfter) {}
