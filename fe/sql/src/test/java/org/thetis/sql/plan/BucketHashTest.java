// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;

/** The front end finds the buckets that back ends write to. */
final class BucketHashTest {
    @Test
    void matchesTheVectorsSharedWithTheBackEnd() throws IOException {
        int numVectors = 0;
        for (String line : Files.readAllLines(vectors())) {
            if (line.startsWith("#") || line.startsWith("types,")) {
                continue;
            }
            int first = line.indexOf(',');
            int last = line.lastIndexOf(',');
            String[] types = line.substring(0, first).split("\\|");
            String[] values = line.substring(first + 1, last).split("\\|", -1);
            List<Literal> key = new ArrayList<>();
            for (int i = 0; i < types.length; i++) {
                key.add(literal(types[i], values[i]));
            }
            long hash = Long.parseLong(line.substring(last + 1));
            for (int buckets : List.of(1, 7, 48, Integer.MAX_VALUE)) {
                assertThat(BucketHash.bucket(key, buckets)).as(line).isEqualTo((int) (hash % buckets));
            }
            numVectors++;
        }
        assertThat(numVectors).isGreaterThan(30);
    }

    private static Path vectors() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path found = folder.resolve("gensrc/catalog/bucket_hash_vectors.csv");
            if (Files.exists(found)) {
                return found;
            }
        }
        throw new AssertionError("the vectors are not above the working folder");
    }

    private static Literal literal(String type, String text) {
        DataType dataType =
                switch (type) {
                    case "bool" -> DataType.BOOLEAN;
                    case "i8" -> DataType.TINYINT;
                    case "i16" -> DataType.SMALLINT;
                    case "i32" -> DataType.INT;
                    case "i64" -> DataType.BIGINT;
                    case "i128" -> DataType.LARGEINT;
                    default -> DataType.STRING;
                };
        if (text.equals("\\N")) {
            return Literal.nullOf(dataType);
        }
        return switch (type) {
            case "bool" -> new Literal(!text.equals("0"), dataType);
            case "i128" -> new Literal(new BigInteger(text), dataType);
            case "string" -> new Literal(text, dataType);
            default -> new Literal(Long.parseLong(text), dataType);
        };
    }
}
