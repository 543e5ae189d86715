// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import org.thetis.base.error.ThetisException;
import org.thetis.wire.proto.ResultChunk;

/** Receives a result stream. Calls are serial and come on transport threads, so they must not block. */
public interface ResultListener {
    void onChunk(ResultChunk chunk);

    /** The stream ended after its last chunk; no further call follows. */
    void onEnd();

    /** The stream broke; no further call follows. */
    void onFailure(ThetisException failure);
}
