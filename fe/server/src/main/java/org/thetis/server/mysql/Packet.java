// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;

/**
 * One logical packet: parts over 16 MB are joined. The receiver releases the payload.
 *
 * @param first sequence number of the first part; 0 for a command
 * @param sequence sequence number of the last part, which the answer continues
 */
record Packet(int first, int sequence, ByteBuf payload) {}
