package dev.caliber.store.maintenance;

/** Disk size of a store in bytes before and after it was compacted. */
public record CompactReport(long bytesBefore, long bytesAfter) {}
