// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.lang.reflect.Proxy;

/** Services a test does not use: every call fails and names itself. */
final class Absent {
    private Absent() {}

    static <T> T service(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new AssertionError(
                            "the test gives no " + type.getSimpleName() + " to answer " + method.getName());
                }));
    }
}
