// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.json.Json;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;

/** GET /api/{db}/{table}/_schema: columns as connectors read them. */
public final class TableSchemaEndpoint implements Endpoint {
    private final HttpServices services;

    public TableSchemaEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/{db}/{table}/_schema");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        OlapTable table =
                services.catalog().snapshot().getDatabase(call.part("db")).getOlapTable(call.part("table"));
        services.catalog()
                .snapshot()
                .accessChecker()
                .checkTable(call.requireUser().identity(), call.part("db"), table.name(), Privilege.SELECT);
        ObjectNode data = Json.object();
        data.put("status", 200);
        data.put("keysType", table.keysModel().showName());
        ArrayNode properties = data.putArray("properties");
        for (SchemaColumn column : table.baseIndex().visibleColumns()) {
            ObjectNode property = properties.addObject();
            property.put("name", column.name());
            property.put("type", typeName(column.type()));
            property.put("comment", column.comment());
            property.put(
                    "aggregation_type", column.key() ? "" : column.aggregate().name());
            if (column.type().isDecimal()) {
                property.put("precision", Integer.toString(column.type().precision()));
                property.put("scale", Integer.toString(column.type().scale()));
            }
        }
        return HttpReply.ok(data);
    }

    /** Type names of the storage layer, upper case, as connectors map them. */
    private static String typeName(DataType type) {
        return switch (type.id()) {
            case DATE -> "DATEV2";
            case DATETIME -> "DATETIMEV2";
            case DECIMAL -> type.precision() <= 9 ? "DECIMAL32" : type.precision() <= 18 ? "DECIMAL64" : "DECIMAL128";
            default -> type.id().name();
        };
    }
}
