// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** 'user'@'host' or 'user'@('domain'). A missing host is '%'. */
public record UserIdentity(String user, String host, boolean domain) {}
