// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.Comparator;
import java.util.regex.Pattern;

/** `'name'@'host'`, where host is an address or a pattern with `%` and `_`. */
public record UserIdentity(String name, String host) implements Comparable<UserIdentity> {
    public static final UserIdentity ROOT = new UserIdentity("root", "%");
    public static final UserIdentity ADMIN = new UserIdentity("admin", "%");

    private static final Comparator<UserIdentity> ORDER =
            Comparator.comparing(UserIdentity::name).thenComparing(UserIdentity::host);

    /** Whether a client at this address may be this user. */
    public boolean matchesHost(String address) {
        if (host.equals("%") || host.equalsIgnoreCase(address)) {
            return true;
        }
        if (host.equals("localhost")) {
            return address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1") || address.equals("::1");
        }
        if (host.indexOf('%') < 0 && host.indexOf('_') < 0) {
            return false;
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE)
                .matcher(address)
                .matches();
    }

    /** Exact hosts win over patterns, long patterns over short ones. */
    public int specificity() {
        boolean pattern = host.indexOf('%') >= 0 || host.indexOf('_') >= 0;
        return (pattern ? 0 : 1000) + host.length();
    }

    @Override
    public int compareTo(UserIdentity other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "'" + name + "'@'" + host + "'";
    }
}
