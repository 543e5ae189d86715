// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.sql.expr.NullMode;

/** The functions that back ends have kernels for, by name and alias. Loaded once from a generated resource; immutable. */
public final class FunctionCatalog {
    private static final String RESOURCE = "/thetis/functions.json";

    private final Map<FunctionEntry.Kind, Map<String, FunctionEntry>> byKind = new HashMap<>();

    private FunctionCatalog(JsonNode entries) {
        for (FunctionEntry.Kind kind : FunctionEntry.Kind.values()) {
            byKind.put(kind, new HashMap<>());
        }
        for (JsonNode node : entries) {
            FunctionEntry entry = entry(node);
            Map<String, FunctionEntry> names = family(entry.kind());
            names.put(entry.name(), entry);
            node.path("aliases").forEach(alias -> names.put(alias.asText().toLowerCase(Locale.ROOT), entry));
        }
    }

    /** Reads the catalog built into the program; fails with INTERNAL when it is missing or malformed. */
    public static FunctionCatalog load() {
        try (InputStream in = FunctionCatalog.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new ThetisException(ErrorCode.INTERNAL, "resource " + RESOURCE + " is missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ThetisException(ErrorCode.INTERNAL, "cannot read " + RESOURCE, e);
        }
    }

    /** Reads a catalog from JSON text. */
    public static FunctionCatalog parse(String json) {
        return new FunctionCatalog(Json.parse(json));
    }

    private Map<String, FunctionEntry> family(FunctionEntry.Kind kind) {
        Map<String, FunctionEntry> family = byKind.get(kind);
        if (family == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "no function family " + kind);
        }
        return family;
    }

    /** A function by its lower-case name or alias. */
    public Optional<FunctionEntry> find(FunctionEntry.Kind kind, String name) {
        return Optional.ofNullable(family(kind).get(name));
    }

    /** All names and aliases, for hints in errors. */
    public Collection<String> names() {
        TreeSet<String> names = new TreeSet<>();
        byKind.values().forEach(family -> names.addAll(family.keySet()));
        return names;
    }

    private static FunctionEntry entry(JsonNode node) {
        String family = node.path("family").asText();
        FunctionEntry.Kind kind =
                family.startsWith("window") || node.path("kind").asText().equals("window")
                        ? FunctionEntry.Kind.WINDOW
                        : node.path("kind").asText().equals("aggregate")
                                ? FunctionEntry.Kind.AGGREGATE
                                : FunctionEntry.Kind.SCALAR;
        List<Signature> signatures = new ArrayList<>();
        node.path("signatures").forEach(text -> signatures.add(Signature.parse(text.asText())));
        boolean zero = node.path("empty").asText("null").equals("zero");
        NullMode nulls =
                switch (node.path("nulls").asText("propagate")) {
                    case "custom" -> NullMode.ALWAYS;
                    case "never_null" -> NullMode.NEVER;
                    default -> NullMode.PROPAGATE;
                };
        if (kind == FunctionEntry.Kind.AGGREGATE) {
            nulls = zero ? NullMode.NEVER : NullMode.ALWAYS;
        }
        return new FunctionEntry(
                node.path("name").asText(),
                kind,
                signatures,
                nulls,
                node.path("return_rule").asText(""),
                node.path("volatile").asBoolean(false),
                node.path("state").asText("same"),
                zero);
    }
}
