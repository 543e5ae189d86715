// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.ShowCreate;
import org.thetis.catalog.object.View;
import org.thetis.query.result.StatementResult;

/** SHOW CREATE of a view. */
final class ViewText {
    private ViewText() {}

    static StatementResult result(View view) {
        return new ShowRows("View", "Create View", "character_set_client", "collation_connection")
                .add(view.name(), ShowCreate.text(view), "utf8mb4", "utf8mb4_0900_bin")
                .result();
    }
}
