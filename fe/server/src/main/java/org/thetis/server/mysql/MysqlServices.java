// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.query.infoschema.SchemaTableDirectory;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.SessionRegistry;
import org.thetis.query.statement.StatementRunner;
import org.thetis.server.auth.Authenticator;

/**
 * What connections share.
 *
 * @param workers runs statements; may grow to one thread per connection
 * @param ready whether this front end may serve yet
 */
public record MysqlServices(
        Authenticator authenticator,
        SessionRegistry sessions,
        GlobalVariables variables,
        StatementRunner runner,
        PointServices points,
        CatalogReader catalog,
        SchemaTableDirectory schemaTables,
        ExecutorService workers,
        MetricRegistry metrics,
        BooleanSupplier ready,
        Clock clock) {}
