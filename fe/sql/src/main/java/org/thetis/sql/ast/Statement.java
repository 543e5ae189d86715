// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** A parsed statement. Each kind is one record; handlers are chosen by its class. */
public interface Statement {}
