// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.base.json.Json;
import org.thetis.server.testing.EmbeddedServer;

/** The HTTP front: redirects of loads before their body, logins, and the endpoints clients call most. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpFrontTest {
    private static final String ROOT =
            "Authorization: Basic " + Base64.getEncoder().encodeToString("root:".getBytes(StandardCharsets.UTF_8));
    private static EmbeddedServer server;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    @BeforeAll
    static void start() throws IOException {
        server = new EmbeddedServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void secondPhaseOfALoadIsRedirectedWithTheLogin() throws IOException {
        String reply =
                raw("PUT /api/d/_stream_load_2pc?a=b HTTP/1.1", ROOT, "Expect: 100-continue", "Content-Length: 0");
        assertThat(reply).startsWith("HTTP/1.1 307 ");
        assertThat(reply).contains("Location: http://root:@127.0.0.1:8040/api/d/_stream_load_2pc?a=b\r\n");
        String withoutQuery =
                raw("PUT /api/d/_stream_load_2pc HTTP/1.1", ROOT, "Expect: 100-continue", "Content-Length: 0");
        assertThat(withoutQuery).contains("Location: http://root:@127.0.0.1:8040/api/d/_stream_load_2pc?\r\n");
    }

    @Test
    void theBodyIsNotWaitedFor() throws IOException {
        String reply = raw("PUT /api/_http_stream HTTP/1.1", ROOT, "Expect: 100-continue", "Content-Length: 1000000");
        assertThat(reply).startsWith("HTTP/1.1 307 ").doesNotContain("100 Continue");
    }

    @Test
    void loadsThatCannotWorkAreRefusedBeforeTheRedirect() throws IOException {
        String load = "PUT /api/d/nowhere/_stream_load HTTP/1.1";
        assertThat(raw(load, ROOT, "Content-Length: 3"))
                .startsWith("HTTP/1.1 200 ")
                .contains("FAILED")
                .contains("100-continue");
        assertThat(raw(load, ROOT, "Expect: 100-continue", "Content-Length: 3"))
                .contains("FAILED")
                .contains("unknown table, table=nowhere");
        assertThat(raw("PUT /api/no/t/_stream_load HTTP/1.1", ROOT, "Expect: 100-continue", "Content-Length: 3"))
                .contains("unknown database, database=no");
        assertThat(raw(load, "Expect: 100-continue", "Content-Length: 3"))
                .startsWith("HTTP/1.1 401 ")
                .contains("FAILED");
        assertThat(raw(load, "token: wrong", "Expect: 100-continue", "Content-Length: 3"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(raw(load, ROOT, "group_commit: maybe", "Expect: 100-continue", "Content-Length: 3"))
                .contains("group_commit");
    }

    @Test
    void endpointsThatNeedAUserAnswer401WithoutOne() throws Exception {
        for (String path : new String[] {
            "/api/backends", "/api/_set_config?a=b", "/rest/v2/manager/node/frontends", "/api/d/v/_schema"
        }) {
            HttpResponse<String> reply = get(path, null);
            assertThat(reply.statusCode()).as(path).isEqualTo(401);
            assertThat(reply.headers().firstValue("WWW-Authenticate")).as(path).isPresent();
            assertThat(Json.parse(reply.body()).path("code").asInt()).as(path).isEqualTo(401);
        }
        assertThat(get("/api/backends", "ann:wrong").statusCode()).isEqualTo(401);
        assertThat(Json.parse(get("/rest/v2/manager/node/frontends", "ann:pw").body())
                        .path("code")
                        .asInt())
                .isEqualTo(401);
    }

    @Test
    void healthMetricsAndUnknownPaths() throws Exception {
        assertThat(Json.parse(get("/api/health", null).body())
                        .path("data")
                        .path("online_backend_num")
                        .asInt())
                .isEqualTo(1);
        assertThat(get("/api/bootstrap", null).body()).contains("\"queryPort\":0");
        assertThat(get("/metrics", null).statusCode()).isEqualTo(200);
        assertThat(get("/api/nothing", null).statusCode()).isEqualTo(404);
        assertThat(Json.parse(get("/api/backends", "root:").body())
                        .at("/data/backends/0/http_port")
                        .asInt())
                .isEqualTo(8040);
        assertThat(get("/rest/v2/manager/node/backends", "root:").body())
                .contains("columnNames")
                .contains("BackendId");
    }

    @Test
    void statementsRunOverHttp() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/api/query/internal/d"))
                .header("Authorization", basic("root:"))
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"stmt\":\"SELECT number FROM numbers('number' = '5')\",\"limit\":3}"))
                .build();
        String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        assertThat(Json.parse(body).at("/data/type").asText()).isEqualTo("result_set");
        assertThat(Json.parse(body).at("/data/data").toString()).isEqualTo("[[0],[1],[2]]");
        assertThat(Json.parse(body).at("/data/meta/0/type").asText()).isEqualTo("BIGINT");
    }

    private HttpResponse<String> get(String path, @Nullable String login) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(20));
        if (login != null) {
            request.header("Authorization", basic(login));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.httpPort() + path);
    }

    private static String basic(String login) {
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a request head and reads until the server closes, as it does after answering a load. */
    private static String raw(String requestLine, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.httpPort())) {
            socket.setSoTimeout(20_000);
            String head = requestLine + "\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
