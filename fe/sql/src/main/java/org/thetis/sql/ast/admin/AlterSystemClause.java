// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;

/** What ALTER SYSTEM changes. Hosts are "host:port". */
public sealed interface AlterSystemClause {
    /** ADD BACKEND. */
    record AddBackends(List<String> hosts, Map<String, String> properties) implements AlterSystemClause {
        /** Copies the collections. */
        public AddBackends {
            hosts = List.copyOf(hosts);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** DROP BACKEND, or DROPP BACKEND with force. */
    record DropBackends(List<String> hosts, boolean force) implements AlterSystemClause {
        /** Copies the collections. */
        public DropBackends {
            hosts = List.copyOf(hosts);
        }
    }

    /** DECOMMISSION BACKEND. */
    record DecommissionBackends(List<String> hosts) implements AlterSystemClause {
        /** Copies the collections. */
        public DecommissionBackends {
            hosts = List.copyOf(hosts);
        }
    }

    /** MODIFY BACKEND SET (...). */
    record ModifyBackends(List<String> hosts, Map<String, String> properties) implements AlterSystemClause {
        /** Copies the collections. */
        public ModifyBackends {
            hosts = List.copyOf(hosts);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** ADD FOLLOWER or OBSERVER. */
    record AddFrontend(boolean observer, String host) implements AlterSystemClause {}

    /** DROP FOLLOWER or OBSERVER. */
    record DropFrontend(boolean observer, String host) implements AlterSystemClause {}

    /** ADD BROKER name hosts. */
    record AddBroker(String name, List<String> hosts) implements AlterSystemClause {
        /** Copies the collections. */
        public AddBroker {
            hosts = List.copyOf(hosts);
        }
    }

    /** DROP BROKER name hosts; no hosts means DROP ALL BROKER. */
    record DropBroker(String name, List<String> hosts) implements AlterSystemClause {
        /** Copies the collections. */
        public DropBroker {
            hosts = List.copyOf(hosts);
        }
    }

    /** MODIFY FRONTEND or BACKEND "host:port" HOSTNAME "name". */
    record ModifyHostname(boolean backend, String host, String hostname) implements AlterSystemClause {}

    /** SET LOAD ERRORS HUB PROPERTIES. */
    record SetLoadErrorsUrl(Map<String, String> properties) implements AlterSystemClause {
        /** Copies the collections. */
        public SetLoadErrorsUrl {
            properties = ImmutableMap.copyOf(properties);
        }
    }
}
