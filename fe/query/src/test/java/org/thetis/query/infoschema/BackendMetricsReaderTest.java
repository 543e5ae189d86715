// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.base.metrics.MetricRegistry.Sample;
import org.thetis.catalog.object.Backend;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BackendMetricsReaderTest {
    private static final String PAGE =
            """
            # HELP doris_be_lookup_requests_total Key look-ups.
            # TYPE doris_be_lookup_requests_total counter
            doris_be_lookup_requests_total 42
            # HELP doris_be_lookup_latency_ns Nanoseconds.
            # TYPE doris_be_lookup_latency_ns summary
            doris_be_lookup_latency_ns{quantile="0.99"} 8191
            doris_be_lookup_latency_ns_sum 100000
            doris_be_cache_usage{name="a} b"} 1.5

            nonsense
            """;

    @Test
    void samplesOfAPage() {
        assertThat(BackendMetricsReader.parse(PAGE))
                .containsExactly(
                        new Sample("doris_be_lookup_requests_total", "counter", "", 42, "Key look-ups."),
                        new Sample("doris_be_lookup_latency_ns", "summary", "quantile=\"0.99\"", 8191, "Nanoseconds."),
                        new Sample("doris_be_lookup_latency_ns_sum", "summary", "", 100_000, "Nanoseconds."),
                        new Sample("doris_be_cache_usage", "untyped", "name=\"a} b\"", 1.5, ""));
    }

    @Test
    void whoDoesNotAnswerHasNone() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", call -> {
            byte[] body = PAGE.getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, body.length);
            call.getResponseBody().write(body);
            call.close();
        });
        server.start();
        // One takes connections and never says a word; one begins a reply and does not go on; nobody listens at one.
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocket slow = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> begun = CompletableFuture.runAsync(() -> beginReply(slow));
            ServerSocket gone = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
            gone.close();
            List<List<Sample>> all = BackendMetricsReader.overHttp()
                    .read(List.of(
                            backend(silent.getLocalPort()),
                            backend(server.getAddress().getPort()),
                            backend(gone.getLocalPort()),
                            backend(slow.getLocalPort()),
                            new Backend(1, "no host", 1, 1, 80, 1, false, Map.of())));
            assertThat(all.get(0)).isEmpty();
            assertThat(all.get(1)).hasSize(4);
            assertThat(all.get(2)).isEmpty();
            assertThat(all.get(3)).isEmpty();
            assertThat(begun).isCompleted();
            assertThat(all.get(4)).isEmpty();
        } finally {
            server.stop(0);
        }
    }

    /** Sends the headers of a longer reply and holds the connection. */
    private static void beginReply(ServerSocket server) {
        try {
            // Closed with its client's end; here it would be the end of the reply.
            Socket client = server.accept();
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx 1\n".getBytes(StandardCharsets.UTF_8));
            client.getOutputStream().flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Backend backend(int httpPort) {
        return new Backend(1, "127.0.0.1", 1, 1, httpPort, 1, false, Map.of());
    }
}
