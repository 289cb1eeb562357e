package dev.caliber.models;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Addresses that are not on the public Internet: this machine, local networks, link-local (where
 * clouds keep their metadata), carrier networks, tests, multicast and reserved ones, and IPv6
 * addresses that only wrap such an IPv4 address.
 */
final class PrivateAddresses {

  /** This network, carriers, protocol assignments, benchmarks, reserved. */
  private static final List<Block> SPECIAL =
      List.of(
          new Block(0x00, 8),
          new Block(0x6440, 10),
          new Block(0xc00000, 24),
          new Block(0xc612, 15),
          new Block(0xf0, 4));

  private static final Block UNIQUE_LOCAL = new Block(0xfc, 7);
  private static final Block SIX_TO_FOUR = new Block(0x2002, 16);
  private static final Block NAT64 = new Block(0x0064ff9bL, 32);
  private static final Block COMPATIBLE = new Block(0, 64);

  private PrivateAddresses() {}

  static boolean contain(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address
            ? special4(address.getAddress())
            : special6(address.getAddress()));
  }

  private static boolean special4(byte[] bytes) {
    return SPECIAL.stream().anyMatch(block -> block.holds(bytes));
  }

  /** Unique local; NAT64, 6to4 and IPv4-compatible addresses by what they wrap. */
  private static boolean special6(byte[] bytes) {
    if (SIX_TO_FOUR.holds(bytes)) {
      return wraps(bytes, 2);
    }
    boolean last = NAT64.holds(bytes) || COMPATIBLE.holds(bytes);
    return UNIQUE_LOCAL.holds(bytes) || (last && wraps(bytes, bytes.length - Integer.BYTES));
  }

  private static boolean wraps(byte[] bytes, int from) {
    try {
      return contain(
          InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + Integer.BYTES)));
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }

  /** All addresses that begin with the same bits; the prefix is written in whole bytes. */
  private record Block(long prefix, int bits) {
    boolean holds(byte[] bytes) {
      int whole = (bits + Byte.SIZE - 1) / Byte.SIZE;
      long found = 0;
      for (int i = 0; i < whole; i++) {
        found = found << Byte.SIZE | (bytes[i] & 0xff);
      }
      int spare = whole * Byte.SIZE - bits;
      return found >>> spare == prefix >>> spare;
    }
  }
}
