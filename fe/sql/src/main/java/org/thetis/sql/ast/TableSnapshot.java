// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** FOR VERSION AS OF n or FOR TIME AS OF t. */
public record TableSnapshot(boolean version, String value) {}
