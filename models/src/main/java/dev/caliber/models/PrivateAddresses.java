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

  /** Blocks of this network, carriers, protocol assignments, benchmarks, reserved. */
  private static final List<AddressBlock> SPECIAL =
      List.of(
          new AddressBlock(0x00, 8),
          new AddressBlock(0x6440, 10),
          new AddressBlock(0xc00000, 24),
          new AddressBlock(0xc612, 15),
          new AddressBlock(0xf0, 4));

  private static final AddressBlock UNIQUE_LOCAL = new AddressBlock(0xfc, 7);
  private static final AddressBlock SIX_TO_FOUR = new AddressBlock(0x2002, 16);
  private static final AddressBlock NAT64 = new AddressBlock(0x0064ff9bL, 32);
  private static final AddressBlock COMPATIBLE = new AddressBlock(0, 64);

  private PrivateAddresses() {}

  static boolean isPrivate(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address
            ? isPrivateIpv4(address.getAddress())
            : isPrivateIpv6(address.getAddress()));
  }

  private static boolean isPrivateIpv4(byte[] bytes) {
    return SPECIAL.stream().anyMatch(addressBlock -> addressBlock.isPrefixOf(bytes));
  }

  /**
   * Returns whether the address is unique local, or a NAT64, 6to4 or IPv4-compatible form of a
   * private one.
   */
  private static boolean isPrivateIpv6(byte[] bytes) {
    if (SIX_TO_FOUR.isPrefixOf(bytes)) {
      return isPrivateIpv4At(bytes, 2);
    }
    boolean last = NAT64.isPrefixOf(bytes) || COMPATIBLE.isPrefixOf(bytes);
    return UNIQUE_LOCAL.isPrefixOf(bytes)
        || (last && isPrivateIpv4At(bytes, bytes.length - Integer.BYTES));
  }

  private static boolean isPrivateIpv4At(byte[] bytes, int from) {
    try {
      return isPrivate(
          InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + Integer.BYTES)));
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }

  /** Block of addresses with the same leading bits; the prefix is written in whole bytes. */
  private record AddressBlock(long prefix, int bits) {
    boolean isPrefixOf(byte[] bytes) {
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
