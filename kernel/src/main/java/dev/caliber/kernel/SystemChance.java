package dev.caliber.kernel;

import java.security.SecureRandom;

@Seam("the one place where chance enters the process")
final class SystemChance implements Chance {
  private final SecureRandom random = new SecureRandom();

  @Override
  public long nextLong() {
    return random.nextLong();
  }
}
