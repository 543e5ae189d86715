// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.Config;
import org.thetis.base.config.NetworkSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.cluster.node.OwnAddress;

/** Starts the front end from the installation that THETIS_HOME (or DORIS_HOME) names, and stops it on SIGTERM. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    public static void main(String[] arguments) {
        try {
            run();
        } catch (ThetisException failure) {
            fail(failure.text(), failure);
        } catch (RuntimeException failure) {
            fail(String.valueOf(failure.getMessage()), failure);
        }
    }

    private static void run() {
        Path home = Path.of(home().orElseThrow(() ->
                new ThetisException(ErrorCode.INVALID_ARGUMENT, "THETIS_HOME is not set; start with bin/start_fe.sh")));
        Path file = home.resolve("conf").resolve("fe.conf");
        if (!Files.isReadable(file)) {
            throw new ThetisException(ErrorCode.NOT_FOUND, "cannot read " + file);
        }
        Config config = Config.load(file, System.getenv());
        config.warnings().forEach(warning -> LOG.warn("{}", warning));
        PortCheck.run(config);
        String host = OwnAddress.choose(new NetworkSettings(config));
        FrontEnd frontEnd = FrontEnd.start(config, host, Main::lostJournal);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            LOG.info("front end stops");
                            frontEnd.close();
                            stopped.countDown();
                        },
                        "shutdown"));
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<String> home() {
        return Optional.ofNullable(System.getenv("THETIS_HOME"))
                .or(() -> Optional.ofNullable(System.getenv("DORIS_HOME")));
    }

    /** Without a journal nothing may be acknowledged any more: end at once, without the ordinary shutdown. */
    private static void lostJournal(Throwable cause) {
        LOG.error("the journal can no longer be written, the process ends", cause);
        Runtime.getRuntime().halt(2);
    }

    private static void fail(String message, Throwable cause) {
        LOG.error("start failed", cause);
        System.err.println("thetis: " + message);
        System.exit(1);
    }
}
