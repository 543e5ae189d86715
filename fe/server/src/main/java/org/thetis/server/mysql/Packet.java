// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;

/** One logical packet: parts over 16 MB are joined. The receiver releases the payload. */
record Packet(int sequence, ByteBuf payload) {}
