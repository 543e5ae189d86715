// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Transaction;

/** GET /api/{db}/get_load_state?label=: the state of the newest transaction with the label. */
public final class LoadStateEndpoint implements Endpoint {
    private final HttpServices services;

    public LoadStateEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/{db}/get_load_state");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        Database database = services.catalog().snapshot().getDatabase(call.part("db"));
        services.catalog()
                .snapshot()
                .accessChecker()
                .checkDatabaseVisible(call.requireUser().identity(), database.name());
        Optional<Transaction> found =
                services.transactions().findByLabel(database.id(), call.requireParameter("label"));
        return HttpReply.ok(
                found.map(transaction -> transaction.status().name()).orElse("UNKNOWN"));
    }
}
