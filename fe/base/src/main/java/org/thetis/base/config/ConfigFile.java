// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.config;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Reads and rewrites `key = value` files with `#` comments and `${NAME}` references to the environment. */
final class ConfigFile {
    private ConfigFile() {}

    /** The entries in file order; a missing file has none. A line without `=` fails and names its number. */
    static Map<String, String> read(Path path, Map<String, String> environment) {
        Map<String, String> entries = new LinkedHashMap<>();
        if (!Files.exists(path)) {
            return entries;
        }
        int number = 0;
        for (String line : lines(path)) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        path.getFileName() + " line " + number + " is not of the form key = value: '" + text + "'");
            }
            entries.put(
                    text.substring(0, equals).strip(),
                    expand(unquote(text.substring(equals + 1).strip()), environment));
        }
        return entries;
    }

    /** Replaces `${NAME}`; a name that is not set becomes empty. DORIS_HOME stands for THETIS_HOME, for existing files. */
    static String expand(String value, Map<String, String> environment) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (true) {
            int open = value.indexOf("${", from);
            int close = open < 0 ? -1 : value.indexOf('}', open);
            if (close < 0) {
                return text.append(value, from, value.length()).toString();
            }
            text.append(value, from, open).append(lookUp(value.substring(open + 2, close), environment));
            from = close + 1;
        }
    }

    private static String lookUp(String name, Map<String, String> environment) {
        @Nullable String value = environment.get(name);
        if (value == null && name.equals("DORIS_HOME")) {
            value = environment.get("THETIS_HOME");
        }
        return value == null ? "" : value;
    }

    private static String unquote(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Sets one key in the file, replacing its line or adding one; the file is replaced in one step. */
    static void write(Path path, String key, String value) {
        StringBuilder text = new StringBuilder();
        boolean replaced = false;
        for (String line : Files.exists(path) ? lines(path) : List.<String>of()) {
            int equals = line.indexOf('=');
            boolean same = equals > 0 && line.substring(0, equals).strip().equals(key);
            replaced |= same;
            text.append(same ? key + " = " + value : line).append('\n');
        }
        if (!replaced) {
            text.append(key).append(" = ").append(value).append('\n');
        }
        try {
            Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
            Files.writeString(temporary, text);
            try {
                Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new ThetisException(ErrorCode.IO_ERROR, "cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    private static List<String> lines(Path path) {
        try {
            return Files.readAllLines(path);
        } catch (IOException e) {
            throw new ThetisException(ErrorCode.IO_ERROR, "cannot read " + path + ": " + e.getMessage(), e);
        }
    }
}
