// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** ROWS or RANGE BETWEEN start AND end; a frame given by its start alone ends at the current row. */
public record WindowFrame(boolean rows, FrameBound start, FrameBound end) {}
