package dev.caliber.models;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Addresses that are not on the public Internet: this machine, local networks, link-local (where
 * clouds keep their metadata), carrier networks, tests, multicast and reserved ones, and IPv6
 * addresses that only wrap such an IPv4 address.
 */
final class PrivateAddresses {

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
    return starts(bytes, 0x00, 8)
        || starts(bytes, 0x6440, 10)
        || starts(bytes, 0xc00000, 24)
        || starts(bytes, 0xc612, 15)
        || starts(bytes, 0xf0, 4);
  }

  /** Unique local; NAT64, 6to4 and IPv4-compatible addresses by what they wrap. */
  private static boolean special6(byte[] bytes) {
    if ((bytes[0] & 0xfe) == 0xfc) {
      return true;
    }
    if (starts(bytes, 0x2002, 16)) {
      return wraps(bytes, 2);
    }
    boolean wrapped = starts(bytes, 0x0064ff9bL, 32) || starts(bytes, 0, 64);
    return wrapped && wraps(bytes, bytes.length - Integer.BYTES);
  }

  private static boolean wraps(byte[] bytes, int from) {
    try {
      return contain(
          InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + Integer.BYTES)));
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }

  /** Whether the first bits are those of the prefix, which is written in whole bytes. */
  private static boolean starts(byte[] bytes, long prefix, int bits) {
    int whole = (bits + Byte.SIZE - 1) / Byte.SIZE;
    long found = 0;
    for (int i = 0; i < whole; i++) {
      found = found << Byte.SIZE | (bytes[i] & 0xff);
    }
    int spare = whole * Byte.SIZE - bits;
    return found >>> spare == prefix >>> spare;
  }
}
