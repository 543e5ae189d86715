// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** How full the file system under a directory is. */
record DiskUse(String directory, String fileSystem, long totalBytes, long availableBytes) {
    static DiskUse of(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return new DiskUse(directory.toString(), store.name(), store.getTotalSpace(), store.getUsableSpace());
        } catch (IOException failure) {
            throw new ThetisException(ErrorCode.IO_ERROR, "cannot read the space under " + directory, failure);
        }
    }

    long usedBytes() {
        return totalBytes - availableBytes;
    }
}
