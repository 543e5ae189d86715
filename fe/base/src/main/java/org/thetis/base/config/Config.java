// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.base.text.NearestNames;

/**
 * The values of every front-end setting: defaults from the catalog, overlaid by fe.conf, by fe_custom.conf and by changes at run
 * time. Components read it through their generated `...Settings` class. Safe for use from any thread.
 */
public final class Config {
    private static final Logger LOG = LoggerFactory.getLogger(Config.class);
    private static final String RESOURCE = "/thetis/config-fe.json";

    /** Keys that scripts read from the same file; they mean nothing to the process itself. */
    private static final Set<String> SCRIPT_KEYS = Set.of(
            "DATE",
            "CUR_DATE",
            "JAVA_HOME",
            "JAVA_OPTS",
            "JAVA_OPTS_FOR_JDK_9",
            "JAVA_OPTS_FOR_JDK_17",
            "LOG_DIR",
            "JEMALLOC_CONF");

    private final Map<String, ConfigKey> keys;
    private final Map<String, String> environment;
    private final ConcurrentHashMap<String, String> values = new ConcurrentHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    private Config(Map<String, ConfigKey> keys, Map<String, String> environment) {
        this.keys = keys;
        this.environment = environment;
        for (ConfigKey key : keys.values()) {
            values.put(key.name(), ConfigFile.expand(key.defaultValue(), environment));
        }
    }

    /** Defaults only, for tests and tools. */
    public static Config defaults() {
        return defaults(Map.of());
    }

    /** Defaults overlaid by the given values, which are checked like those of a file. */
    public static Config defaults(Map<String, String> overrides) {
        Config config = new Config(catalog(), Map.of());
        overrides.forEach((name, value) -> config.take("overrides", name, value));
        return config;
    }

    /**
     * Reads `file` and then fe_custom.conf of the custom directory. A wrong value fails and names file, key and value; an unknown
     * key is a warning that names the nearest known one.
     */
    public static Config load(Path file, Map<String, String> environment) {
        Config config = new Config(catalog(), Map.copyOf(environment));
        Map<String, String> expansion = new LinkedHashMap<>(environment);
        ConfigFile.read(file, expansion).forEach((name, value) -> config.take(fileName(file), name, value));
        Path custom = config.customFile();
        ConfigFile.read(custom, expansion).forEach((name, value) -> config.take(fileName(custom), name, value));
        config.warnings.forEach(LOG::warn);
        return config;
    }

    private static String fileName(Path path) {
        return String.valueOf(path.getFileName());
    }

    private void take(String source, String name, String value) {
        @Nullable ConfigKey key = keys.get(name);
        if (key != null) {
            try {
                key.check(value);
            } catch (ThetisException e) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, source + ": " + e.text());
            }
            values.put(name, value);
        } else if (!SCRIPT_KEYS.contains(name)) {
            warnings.add("Unknown configuration key in " + source + ": " + name
                    + NearestNames.suggestion(name, keys.keySet()));
        }
    }

    /** What was strange about the files that were read. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /**
     * Changes a mutable key while running, optionally also for later starts.
     * Fails when the key is unknown, not mutable, or the value is not allowed.
     */
    public void set(String name, String value, boolean persist) {
        ConfigKey key = key(name);
        if (!key.isMutable()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Config '" + name + "' does not exist or is not mutable");
        }
        key.check(value);
        if (persist) {
            ConfigFile.write(customFile(), name, value);
        }
        values.put(name, value);
    }

    private Path customFile() {
        return Path.of(getString("custom_config_dir")).resolve("fe_custom.conf");
    }

    private ConfigKey key(String name) {
        @Nullable ConfigKey key = keys.get(name);
        if (key == null) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Config '" + name + "' does not exist" + NearestNames.suggestion(name, keys.keySet()));
        }
        return key;
    }

    /** One line of SHOW FRONTEND CONFIG. */
    public record Entry(ConfigKey key, String value) {}

    /** Every key in order of name. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (ConfigKey key : keys.values()) {
            entries.add(new Entry(key, getString(key.name())));
        }
        return entries;
    }

    /** The value of a key if it is known. */
    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public String getString(String name) {
        @Nullable String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("configuration key is not in the catalog: " + name);
        }
        return value;
    }

    public int getInt(String name) {
        return Integer.parseInt(getString(name));
    }

    public long getLong(String name) {
        return Long.parseLong(getString(name));
    }

    public boolean getBool(String name) {
        return Boolean.parseBoolean(getString(name));
    }

    public double getDouble(String name) {
        return Double.parseDouble(getString(name));
    }

    /** A variable of the environment the process was started with. */
    public Optional<String> environment(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    private static Map<String, ConfigKey> catalog() {
        try (InputStream stream = Config.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("missing resource " + RESOURCE);
            }
            JsonNode document = Json.mapper().readTree(stream);
            Map<String, ConfigKey> keys = new TreeMap<>();
            for (JsonNode node : document.path("keys")) {
                ConfigKey key = new ConfigKey(
                        node.path("name").asText(),
                        ConfigKey.Type.valueOf(node.path("type").asText().toUpperCase(Locale.ROOT)),
                        node.path("default").asText(),
                        node.path("mutable").asBoolean(),
                        node.path("masterOnly").asBoolean(),
                        number(node.path("min")),
                        number(node.path("max")),
                        node.path("doc").asText(),
                        true);
                keys.put(key.name(), key);
            }
            for (JsonNode node : document.path("accepted")) {
                ConfigKey key = new ConfigKey(
                        node.path("name").asText(),
                        ConfigKey.Type.STRING,
                        node.path("default").asText(),
                        false,
                        false,
                        null,
                        null,
                        "Accepted without effect.",
                        false);
                keys.putIfAbsent(key.name(), key);
            }
            return keys;
        } catch (IOException e) {
            throw new IllegalStateException("cannot read resource " + RESOURCE, e);
        }
    }

    private static @Nullable BigDecimal number(JsonNode node) {
        return node.isNumber() ? node.decimalValue() : null;
    }
}
