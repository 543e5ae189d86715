// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.User;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.DatabaseTransactions;

/**
 * A whole catalog as a file: one line `THETIS-IMAGE version crc32c length`, then that many bytes of gzip-compressed JSON. The
 * checksum is over the compressed bytes. A file is complete or not there: it is written beside its place and moved.
 */
public final class Image {
    private static final String MAGIC = "THETIS-IMAGE";
    private static final int VERSION = 1;

    private Image() {}

    /** The JSON inside. */
    record Document(
            long clusterId,
            String token,
            long nextId,
            List<Database> databases,
            List<User> users,
            List<Role> roles,
            Map<String, String> globalVariables,
            List<Backend> backends,
            List<Frontend> frontends,
            List<Transaction> transactions,
            @Nullable List<AlterJob> alterJobs,
            @Nullable List<RecycledObject> recycled) {}

    /** Writes a snapshot and syncs it to disk. */
    public static void write(CatalogSnapshot snapshot, Path path) {
        try {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(body)) {
                Json.mapper().writeValue(gzip, document(snapshot));
            }
            byte[] bytes = body.toByteArray();
            String header = MAGIC + " " + VERSION + " " + Long.toHexString(checksum(bytes)) + " " + bytes.length + "\n";
            Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
            Files.write(temporary, header.getBytes(StandardCharsets.US_ASCII));
            Files.write(temporary, bytes, StandardOpenOption.APPEND);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ThetisException(ErrorCode.IO_ERROR, "cannot write image " + path + ": " + e.getMessage(), e);
        }
    }

    /** Reads a snapshot; fails with CORRUPTION when the file is not whole or of another version. */
    public static CatalogSnapshot read(Path path) {
        try {
            byte[] file = Files.readAllBytes(path);
            int newline = 0;
            while (newline < file.length && file[newline] != '\n') {
                newline++;
            }
            String[] header = new String(file, 0, newline, StandardCharsets.US_ASCII).split(" ");
            if (header.length != 4 || !header[0].equals(MAGIC)) {
                throw corrupt(path, "it has no image header");
            }
            if (Integer.parseInt(header[1]) != VERSION) {
                throw corrupt(path, "its version is " + header[1] + ", this program reads " + VERSION);
            }
            byte[] body = Arrays.copyOfRange(file, Math.min(newline + 1, file.length), file.length);
            if (body.length != Long.parseLong(header[3]) || checksum(body) != Long.parseUnsignedLong(header[2], 16)) {
                throw corrupt(path, "its checksum or length is wrong");
            }
            try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(body))) {
                return snapshot(Json.mapper().readValue(gzip, Document.class));
            }
        } catch (IOException | NumberFormatException e) {
            throw new ThetisException(ErrorCode.CORRUPTION, "cannot read image " + path + ": " + e.getMessage(), e);
        }
    }

    private static ThetisException corrupt(Path path, String reason) {
        return new ThetisException(ErrorCode.CORRUPTION, "cannot read image " + path + ": " + reason);
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    private static Document document(CatalogSnapshot snapshot) {
        List<Transaction> transactions = new ArrayList<>();
        for (Map.Entry<Long, DatabaseTransactions> entry : snapshot.transactions()) {
            transactions.addAll(entry.getValue().byId().values());
        }
        Map<String, String> variables = new TreeMap<>();
        snapshot.globalVariables().forEach(entry -> variables.put(entry.getKey(), entry.getValue()));
        return new Document(
                snapshot.clusterId(),
                snapshot.token(),
                snapshot.nextId(),
                snapshot.databases().values(),
                snapshot.users().values(),
                snapshot.roles().values(),
                variables,
                snapshot.backends().values(),
                snapshot.frontends().values(),
                transactions,
                snapshot.alterJobs().values(),
                snapshot.recycleBin().objects().values());
    }

    private static CatalogSnapshot snapshot(Document document) {
        CatalogSnapshot snapshot = CatalogSnapshot.EMPTY
                .withCluster(document.clusterId, document.token)
                .withNextId(document.nextId);
        for (Database database : document.databases) {
            snapshot = snapshot.withDatabase(database);
        }
        for (User user : document.users) {
            snapshot = snapshot.withUser(user);
        }
        for (Role role : document.roles) {
            snapshot = snapshot.withRole(role);
        }
        for (Map.Entry<String, String> entry : document.globalVariables.entrySet()) {
            snapshot = snapshot.withGlobalVariable(entry.getKey(), entry.getValue());
        }
        for (Backend backend : document.backends) {
            snapshot = snapshot.withBackend(backend);
        }
        for (Frontend frontend : document.frontends) {
            snapshot = snapshot.withFrontend(frontend);
        }
        for (Transaction transaction : document.transactions) {
            snapshot = snapshot.withTransaction(transaction);
        }
        // Images written before there were any have none.
        for (AlterJob job : document.alterJobs == null ? List.<AlterJob>of() : document.alterJobs) {
            snapshot = snapshot.withAlterJob(job);
        }
        for (RecycledObject object : document.recycled == null ? List.<RecycledObject>of() : document.recycled) {
            snapshot = snapshot.withRecycled(object);
        }
        return snapshot;
    }
}
