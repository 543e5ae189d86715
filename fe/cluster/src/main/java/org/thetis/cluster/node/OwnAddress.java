// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.thetis.base.config.NetworkSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Picks the address by which other members of the cluster reach this process. */
public final class OwnAddress {
    private OwnAddress() {}

    /**
     * The first address inside `priority_networks`; without that setting the first that is not loopback, else 127.0.0.1. Fails
     * when networks are set and no address lies in them. With `enable_fqdn_mode`: the host's name.
     */
    public static String choose(NetworkSettings settings) {
        try {
            if (settings.enableFqdnMode()) {
                return InetAddress.getLocalHost().getCanonicalHostName();
            }
            List<Inet4Address> own = ownAddresses();
            if (!settings.priorityNetworks().isBlank()) {
                return inNetworks(own, settings.priorityNetworks());
            }
            return own.stream()
                    .filter(address -> !address.isLoopbackAddress())
                    .findFirst()
                    .map(InetAddress::getHostAddress)
                    .orElse("127.0.0.1");
        } catch (SocketException | UnknownHostException e) {
            throw new ThetisException(
                    ErrorCode.IO_ERROR, "cannot list the addresses of this host: " + e.getMessage(), e);
        }
    }

    private static List<Inet4Address> ownAddresses() throws SocketException {
        List<Inet4Address> addresses = new ArrayList<>();
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (network.isUp()) {
                for (InetAddress address : Collections.list(network.getInetAddresses())) {
                    if (address instanceof Inet4Address ipv4) {
                        addresses.add(ipv4);
                    }
                }
            }
        }
        return addresses;
    }

    private static String inNetworks(List<Inet4Address> own, String networks) throws UnknownHostException {
        for (String network : networks.split(";")) {
            for (Inet4Address address : own) {
                if (contains(network.strip(), address)) {
                    return address.getHostAddress();
                }
            }
        }
        throw new ThetisException(
                ErrorCode.INVALID_ARGUMENT, "no address of this host lies in priority_networks: '" + networks + "'");
    }

    /** Whether `a.b.c.d/n` (or a plain address) contains the address. */
    static boolean contains(String network, Inet4Address address) throws UnknownHostException {
        String[] parts = network.split("/");
        if (!parts[0].matches("[0-9.]+") || (parts.length > 1 && !parts[1].matches("\\d{1,2}"))) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "priority_networks must be CIDR;CIDR: '" + network + "'");
        }
        int bits = parts.length > 1 ? Integer.parseInt(parts[1]) : 32;
        BigInteger mask = BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE.shiftLeft(32 - Math.min(32, bits)));
        BigInteger base = new BigInteger(1, InetAddress.getByName(parts[0]).getAddress());
        return base.and(mask).equals(new BigInteger(1, address.getAddress()).and(mask));
    }
}
