// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.google.protobuf.ByteString;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.User;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.cluster.node.BackendState;

/** Decides which back end takes a load, from the request's headers alone. Thread-safe. */
final class LoadRedirect {
    private static final Pattern TABLE_LOAD = Pattern.compile("/api/([^/]+)/([^/]+)/_stream_load");
    private static final Pattern SECOND_PHASE = Pattern.compile("/api/([^/]+)/(?:[^/]+/)?_stream_load_2pc");
    private static final String HTTP_STREAM = "/api/_http_stream";

    private final HttpServices services;
    private final AtomicLong turn = new AtomicLong();

    LoadRedirect(HttpServices services) {
        this.services = services;
    }

    static boolean isLoadPath(String uri) {
        String path = new QueryStringDecoder(uri).path();
        return path.equals(HTTP_STREAM)
                || TABLE_LOAD.matcher(path).matches()
                || SECOND_PHASE.matcher(path).matches();
    }

    /** A redirect to a back end, or why there is none. */
    HttpReply answer(String uri, HttpHeaders headers, String clientHost) {
        try {
            Optional<User> user = login(headers, clientHost);
            if (!headers.containsValue(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE, true)) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "There is no 100-continue header");
            }
            check(uri, headers, user);
            Backend backend = chooseBackend();
            return new HttpReply(
                    307, "text/plain", ByteString.EMPTY, Map.of("Location", location(uri, headers, backend)));
        } catch (ThetisException failure) {
            int status = failure.code() == ErrorCode.ACCESS_DENIED ? 401 : 200;
            HttpReply reply =
                    HttpReply.json(status, Json.object().put("status", "FAILED").put("msg", failure.text()));
            return status == 401
                    ? new HttpReply(
                            401, reply.contentType(), reply.body(), Map.of("WWW-Authenticate", "Basic realm=\"\""))
                    : reply;
        }
    }

    private void check(String uri, HttpHeaders headers, Optional<User> user) {
        checkGroupCommit(headers);
        String path = new QueryStringDecoder(uri).path();
        Matcher load = TABLE_LOAD.matcher(path);
        if (!load.matches()) {
            return;
        }
        CatalogSnapshot catalog = services.catalog().snapshot();
        String database = load.group(1);
        String table = load.group(2);
        if (!(catalog.findDatabase(database)
                        .orElseThrow(() -> new ThetisException(
                                ErrorCode.UNKNOWN_DATABASE, "unknown database, database=" + database))
                        .findTable(table)
                        .orElseThrow(
                                () -> new ThetisException(ErrorCode.UNKNOWN_TABLE, "unknown table, table=" + table))
                instanceof OlapTable)) {
            throw new ThetisException(ErrorCode.NOT_OLAP_TABLE, "only OLAP tables can be loaded, table=" + table);
        }
        user.ifPresent(known -> catalog.accessChecker().checkTable(known.identity(), database, table, Privilege.LOAD));
    }

    private static void checkGroupCommit(HttpHeaders headers) {
        String mode = headers.get("group_commit");
        if (mode == null || mode.equalsIgnoreCase("off_mode")) {
            return;
        }
        switch (mode.toLowerCase(Locale.ROOT)) {
            case "sync_mode", "async_mode" -> throw ThetisException.notSupported("group_commit=" + mode);
            default ->
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The header `group_commit` can only be `sync_mode`, `async_mode` or `off_mode`.");
        }
    }

    /** The user of the request; empty when the cluster's own token takes the place of a login. */
    private Optional<User> login(HttpHeaders headers, String clientHost) {
        String token = headers.get("token");
        if (token != null) {
            if (!token.equals(services.nodes().token())) {
                throw new ThetisException(ErrorCode.ACCESS_DENIED, "Invalid token");
            }
            return Optional.empty();
        }
        BasicCredentials credentials = BasicCredentials.of(headers)
                .orElseThrow(() -> new ThetisException(ErrorCode.ACCESS_DENIED, "Need auth information."));
        return Optional.of(services.authenticator().byPassword(credentials.user(), clientHost, credentials.password()));
    }

    private Backend chooseBackend() {
        List<BackendState> candidates = services.nodes().backends().stream()
                .filter(BackendState::isLoadable)
                .toList();
        if (candidates.isEmpty()) {
            throw new ThetisException(ErrorCode.NOT_FOUND, "No backend is alive and takes loads");
        }
        return candidates
                .get((int) Math.floorMod(turn.getAndIncrement(), (long) candidates.size()))
                .backend();
    }

    /** The same path and query on the back end, with the caller's login in the address, as clients that follow it expect. */
    private static String location(String uri, HttpHeaders headers, Backend backend) {
        String login = BasicCredentials.of(headers)
                .map(credentials -> encode(credentials.user()) + ":" + encode(credentials.password()) + "@")
                .orElse("");
        String target = uri.indexOf('?') < 0 ? uri + "?" : uri;
        return "http://" + login + backend.host() + ":" + backend.httpPort() + target;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
