// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;

/** GET /metrics: Prometheus text. */
public final class MetricsEndpoint implements Endpoint {
    private final HttpServices services;

    public MetricsEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /metrics");
    }

    @Override
    public Access access() {
        return Access.NONE;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        return HttpReply.text(
                200,
                "text/plain; version=0.0.4; charset=utf-8",
                services.metrics().toPrometheusText());
    }
}
