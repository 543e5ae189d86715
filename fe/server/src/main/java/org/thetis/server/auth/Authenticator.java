// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.auth;

import java.util.Optional;
import java.util.function.Predicate;
import org.thetis.base.config.SecuritySettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.NativePassword;
import org.thetis.catalog.object.User;
import org.thetis.catalog.snapshot.CatalogReader;

/** Decides who a client is, for the MySQL, HTTP and Thrift fronts alike. Thread-safe. */
public final class Authenticator {
    private final CatalogReader catalog;
    private final SecuritySettings settings;

    public Authenticator(CatalogReader catalog, SecuritySettings settings) {
        this.catalog = catalog;
        this.settings = settings;
    }

    /** Checks a native-password answer; fails with 1045. */
    public User byScramble(String name, String address, byte[] answer, byte[] random) {
        return login(
                name,
                address,
                answer.length > 0,
                user -> NativePassword.matchesScramble(user.passwordHash(), answer, random));
    }

    /** Checks a password in clear text; what follows an @ in the name is cut, as HTTP clients put a cluster there. */
    public User byPassword(String name, String address, String password) {
        int at = name.indexOf('@');
        String plain = at >= 0 ? name.substring(0, at) : name;
        return login(
                plain, address, !password.isEmpty(), user -> NativePassword.matches(user.passwordHash(), password));
    }

    private User login(String name, String address, boolean usingPassword, Predicate<User> proof) {
        Optional<User> user = name.isEmpty()
                ? Optional.empty()
                : catalog.snapshot().accessChecker().matchUser(name, address);
        boolean trusted = name.equals("root") && isLoopback(address) && settings.skipLocalhostAuthCheck();
        if (user.isEmpty() || !(trusted || proof.test(user.get()))) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED,
                    "Access denied for user '" + name + "@" + address + "' (using password: "
                            + (usingPassword ? "YES" : "NO") + ")");
        }
        if (user.get().locked()) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED, "Access denied for user '" + name + "'. Account is locked.");
        }
        return user.get();
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
    }
}
