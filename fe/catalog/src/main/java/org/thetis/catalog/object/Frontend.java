// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

/** A front end: its name in the journal's group and where it listens. */
public record Frontend(
        String name, String host, int editLogPort, int httpPort, int queryPort, int rpcPort, String role) {}
