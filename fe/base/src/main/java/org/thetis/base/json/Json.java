// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** JSON with one set of rules: absent instead of null, unknown fields ignored, failures as {@link ThetisException}. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private Json() {}

    /** The shared mapper, for streaming reads and writes. Do not configure it. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Text of any record, map, list or node. */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new ThetisException(
                    ErrorCode.INTERNAL,
                    "cannot write JSON of " + value.getClass().getSimpleName(),
                    e);
        }
    }

    /** UTF-8 bytes of any record, map, list or node. */
    public static byte[] writeBytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new ThetisException(
                    ErrorCode.INTERNAL,
                    "cannot write JSON of " + value.getClass().getSimpleName(),
                    e);
        }
    }

    /** Reads a value of the given class; malformed text fails with INVALID_ARGUMENT. */
    public static <T> T read(byte[] bytes, Class<T> type) {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "not valid JSON of " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    /** Parses text into a tree; malformed text fails with INVALID_ARGUMENT. */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not valid JSON: " + e.getOriginalMessage(), e);
        }
    }
}
