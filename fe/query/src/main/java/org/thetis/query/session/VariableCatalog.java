// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.base.text.NearestNames;

/** Every variable clients may name, from the generated catalog. Immutable. */
public final class VariableCatalog {
    private static final String RESOURCE = "/thetis/variables.json";

    private final ImmutableSortedMap<String, Variable> variables;

    private VariableCatalog(Map<String, Variable> variables) {
        this.variables = ImmutableSortedMap.copyOf(variables);
    }

    /** Reads the catalog; `actual` gives defaults that only the running process knows, such as version_comment and time_zone. */
    public static VariableCatalog load(Map<String, String> actual) {
        Map<String, Variable> variables = new TreeMap<>();
        JsonNode document = readResource();
        for (JsonNode entry : document.path("variables")) {
            add(
                    variables,
                    entry,
                    Variable.Type.valueOf(entry.path("type").asText().toUpperCase(Locale.ROOT)),
                    actual);
        }
        for (JsonNode entry : document.path("accepted")) {
            add(variables, entry, guessType(entry.path("default").asText()), actual);
        }
        return new VariableCatalog(variables);
    }

    /** Finds a variable by either of its names, in any case. */
    public Optional<Variable> find(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        Variable plain = variables.get(lower);
        if (plain == null && lower.startsWith("experimental_")) {
            plain = variables.get(lower.substring("experimental_".length()));
        } else if (plain == null && lower.startsWith("deprecated_")) {
            plain = variables.get(lower.substring("deprecated_".length()));
        }
        return Optional.ofNullable(plain);
    }

    /** Like {@link #find}, but an unknown name is an error that offers similar ones. */
    public Variable get(String name) {
        return find(name)
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.UNKNOWN_VARIABLE,
                        "Unknown system variable '" + name + "', the similar variables are "
                                + NearestNames.nearest(name.toLowerCase(Locale.ROOT), variables.keySet(), 3)));
    }

    /** All variables in order of name. */
    public Collection<Variable> all() {
        return variables.values();
    }

    private static void add(
            Map<String, Variable> variables, JsonNode entry, Variable.Type type, Map<String, String> actual) {
        String name = entry.path("name").asText();
        variables.put(
                name,
                new Variable(
                        name,
                        type,
                        actual.getOrDefault(name, entry.path("default").asText()),
                        Variable.Scope.valueOf(
                                entry.path("scope").asText("both").toUpperCase(Locale.ROOT)),
                        entry.path("experimental").asBoolean(),
                        entry.path("deprecated").asBoolean(),
                        entry.path("toBackend").asBoolean()));
    }

    /** Accepted variables carry no type; a boolean default is enough to show ON and 1 as clients expect. */
    private static Variable.Type guessType(String defaultText) {
        return defaultText.equals("true") || defaultText.equals("false") ? Variable.Type.BOOL : Variable.Type.STRING;
    }

    private static JsonNode readResource() {
        try (InputStream in = VariableCatalog.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing from the build");
            }
            return Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
