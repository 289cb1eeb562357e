package dev.caliber.lang.pack;

/** One rule about packs. */
interface PackCheck {
  void run(Document document, Findings findings);
}
