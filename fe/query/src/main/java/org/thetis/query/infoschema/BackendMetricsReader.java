// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.object.Backend;

/** Asks back ends for their pages of metrics. Thread-safe. */
@FunctionalInterface
public interface BackendMetricsReader {
    Logger LOG = LoggerFactory.getLogger(BackendMetricsReader.class);

    /** The samples of each back end, in the order given; none for one that does not answer in a few seconds. */
    List<List<MetricRegistry.Sample>> read(List<Backend> backends);

    /** All are asked at the same time over HTTP. */
    static BackendMetricsReader overHttp() {
        return new OverHttp();
    }

    /** Asks over HTTP. */
    final class OverHttp implements BackendMetricsReader {
        private static final Duration PATIENCE = Duration.ofSeconds(3);

        private final HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build();

        private OverHttp() {}

        @Override
        public List<List<MetricRegistry.Sample>> read(List<Backend> backends) {
            List<CompletableFuture<List<MetricRegistry.Sample>>> asked = new ArrayList<>();
            for (Backend backend : backends) {
                asked.add(page(backend).exceptionally(failure -> {
                    LOG.info(
                            "no metrics of a back end host={} port={} reason={}",
                            backend.host(),
                            backend.httpPort(),
                            failure.toString());
                    return List.of();
                }));
            }
            return asked.stream().map(CompletableFuture::join).toList();
        }

        private CompletableFuture<List<MetricRegistry.Sample>> page(Backend backend) {
            HttpRequest request;
            try {
                // By its parts: an IPv6 address gets its brackets, and what is no host is found out here.
                URI page = new URI("http", null, backend.host(), backend.httpPort(), "/metrics", null, null);
                request = HttpRequest.newBuilder(page).build();
            } catch (URISyntaxException | IllegalArgumentException noHost) {
                return CompletableFuture.failedFuture(noHost);
            }
            CompletableFuture<HttpResponse<String>> sent =
                    client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            return sent.thenApply(
                            reply -> reply.statusCode() == 200 ? parse(reply.body()) : List.<MetricRegistry.Sample>of())
                    // The deadline of a request itself would end with the reply's headers.
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((samples, failure) -> {
                        if (failure != null) {
                            sent.cancel(true);
                        }
                    });
        }
    }

    /** The samples of a page in the Prometheus text format; lines that are none are passed over. */
    static List<MetricRegistry.Sample> parse(String page) {
        Map<String, String> types = new HashMap<>();
        Map<String, String> helps = new HashMap<>();
        List<MetricRegistry.Sample> samples = new ArrayList<>();
        for (String line : page.split("\n")) {
            if (line.startsWith("# TYPE ") || line.startsWith("# HELP ")) {
                String[] parts = line.substring(7).split(" ", 2);
                (line.charAt(2) == 'T' ? types : helps).put(parts[0], parts.length > 1 ? parts[1] : "");
                continue;
            }
            int space = line.lastIndexOf(' ');
            int brace = line.indexOf('{');
            int labelsEnd = line.lastIndexOf('}', space);
            if (space <= 0 || line.startsWith("#") || (brace >= 0 && labelsEnd < brace)) {
                continue;
            }
            String name = brace < 0 ? line.substring(0, space) : line.substring(0, brace);
            String family = types.containsKey(name) ? name : name.replaceFirst("_(sum|count)$", "");
            try {
                samples.add(new MetricRegistry.Sample(
                        name,
                        types.getOrDefault(family, "untyped"),
                        brace < 0 ? "" : line.substring(brace + 1, labelsEnd),
                        Double.parseDouble(line.substring(space + 1)),
                        helps.getOrDefault(family, "")));
            } catch (NumberFormatException noSample) {
                LOG.debug("not a line of metrics: {}", line);
            }
        }
        return samples;
    }
}
