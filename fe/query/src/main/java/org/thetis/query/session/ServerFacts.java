// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

/** What the running process is: the version clients see, the build, the address others reach it by, and when it started. */
public record ServerFacts(String mysqlVersion, String version, String buildHash, String host, long startMillis) {
    /** Version and build, as SHOW FRONTENDS shows them. */
    public String versionText() {
        return "doris-" + version + "-" + buildHash;
    }

    /** The text of @@version_comment. */
    public String versionComment() {
        return "Doris version " + versionText();
    }
}
