// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;

/**
 * Answers one kind of HTTP call. Stateless; runs on a worker thread with the body read. Every public class of this folder that
 * ends in Endpoint is registered by its file, built with {@link HttpServices} or nothing.
 */
public interface Endpoint {
    /** Who may call. */
    enum Access {
        /** Anybody, unless enable_all_http_auth is set. */
        NONE,
        /** Any user who logs in. */
        USER,
        /** Users with the ADMIN privilege. */
        ADMIN
    }

    /** `METHOD /path/{part}`; several when one thing has several names. */
    List<String> routes();

    Access access();

    HttpReply handle(HttpCall call);
}
