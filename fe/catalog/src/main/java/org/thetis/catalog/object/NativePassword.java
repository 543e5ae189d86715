// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** MySQL's native password scheme: what is stored is `*` and the hex of SHA1(SHA1(password)); empty means no password. */
public final class NativePassword {
    private NativePassword() {}

    /** The stored form of a password. */
    public static String hash(String password) {
        if (password.isEmpty()) {
            return "";
        }
        byte[] twice = sha1(sha1(password.getBytes(StandardCharsets.UTF_8)));
        return "*" + HexFormat.of().withUpperCase().formatHex(twice);
    }

    /** Checks the text of IDENTIFIED BY PASSWORD and brings it to the stored form; fails with INVALID_ARGUMENT. */
    public static String checkHash(String hash) {
        if (hash.isEmpty()) {
            return "";
        }
        if (!hash.matches("\\*[0-9A-Fa-f]{40}")) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Password hash should be a 41-digit hexadecimal number");
        }
        return hash.toUpperCase(Locale.ROOT);
    }

    /** Whether a password in clear text is the stored one. */
    public static boolean matches(String storedHash, String password) {
        return MessageDigest.isEqual(
                storedHash.getBytes(StandardCharsets.UTF_8), hash(password).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Whether a client's answer to the server's 20 random bytes proves the password:
     * answer = SHA1(password) xor SHA1(random, SHA1(SHA1(password))).
     */
    public static boolean matchesScramble(String storedHash, byte[] answer, byte[] random) {
        if (storedHash.isEmpty() || answer.length == 0) {
            return storedHash.isEmpty() && answer.length == 0;
        }
        if (answer.length != 20) {
            return false;
        }
        byte[] twice = HexFormat.of().parseHex(storedHash.substring(1));
        byte[] mask = sha1(random, twice);
        byte[] once = new byte[20];
        for (int i = 0; i < once.length; i++) {
            once[i] = (byte) (answer[i] ^ mask[i]);
        }
        return MessageDigest.isEqual(sha1(once), twice);
    }

    private static byte[] sha1(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is part of every Java platform", e);
        }
    }
}
