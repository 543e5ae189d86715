// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Looks rows up by key over JDBC, as fast as N connections can, each sending its next look-up when it has the answer to the last.
 * Every answer is checked: one row, with the key that was asked for. Options are `--name=value`:
 *
 * <ul>
 *   <li>url, user; sql: a statement with one parameter, whose first result column is the key
 *   <li>rows: keys are 0..rows-1, sent as integers; with key-prefix they are texts, the prefix and 10000000000 + key
 *   <li>threads; warm and seconds: not measured and measured time; distribution: uniform, zipfian (constant 0.99, scattered), or each, which ends when every key was
 *       asked for once
 *   <li>upsert: a row of an upsert with {key} and {version}, between upsert-head and upsert-tail; upserts-per-second, upsert-batch
 *       rows per statement, upsert-threads; version-from is above all versions that the rows have. version-column is the result column that holds {version}; a look-up that shows an older
 *       version than one acknowledged before it was sent counts as stale
 * </ul>
 *
 * Prints `measuring` when the measured time begins, and at its end one line of JSON: queries, seconds, qps, p50_us, p99_us, cpu_us (of
 * this process per query), wrong, stale, upserts, and the first error, which ends the run with code 1.
 */
public final class PointQueryClient {
    private enum Phase {
        WARM,
        MEASURE,
        DONE
    }

    private final Map<String, String> options = new HashMap<>();
    private final int rows;
    private final AtomicLongArray acknowledged;
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong stale = new AtomicLong();
    private final AtomicLong upserts = new AtomicLong();
    private volatile Phase phase = Phase.WARM;
    private volatile Throwable error;

    private PointQueryClient(String[] arguments) {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("not --name=value: " + argument);
            }
            options.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        rows = integer("rows", 1_000_000);
        acknowledged = new AtomicLongArray(options.containsKey("upsert") ? rows : 0);
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(new PointQueryClient(arguments).run() ? 0 : 1);
    }

    private String option(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    private int integer(String name, int otherwise) {
        return Integer.parseInt(options.getOrDefault(name, Integer.toString(otherwise)));
    }

    private double number(String name, double otherwise) {
        return Double.parseDouble(options.getOrDefault(name, Double.toString(otherwise)));
    }

    private boolean run() throws InterruptedException {
        int threads = integer("threads", 50);
        CountDownLatch connected = new CountDownLatch(threads);
        List<Reader> readers = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        Keys keys = switch (options.getOrDefault("distribution", "uniform")) {
            case "uniform" -> random -> random.nextInt(rows);
            case "zipfian" -> new Zipfian(rows);
            case "each" -> random -> (int) Math.min(sequence.getAndIncrement(), rows - 1);
            default -> throw new IllegalArgumentException("no such distribution");
        };
        for (int i = 0; i < threads; i++) {
            Reader reader = new Reader(i, keys, connected);
            readers.add(reader);
            all.add(reader);
        }
        if (options.containsKey("upsert")) {
            int count = integer("upsert-threads", 1);
            for (int i = 0; i < count; i++) {
                all.add(new Upserter(i, count));
            }
        }
        all.forEach(Thread::start);
        connected.await();
        sleep(number("warm", 2));
        long cpu = processCpuNanos();
        long upsertsBefore = upserts.get();
        System.out.println("measuring");
        System.out.flush();
        long begin = System.nanoTime();
        phase = Phase.MEASURE;
        sleep(number("seconds", 10));
        phase = Phase.DONE;
        double seconds = (System.nanoTime() - begin) / 1e9;
        cpu = processCpuNanos() - cpu;
        long upserted = upserts.get() - upsertsBefore;
        LatencyHistogram latencies = new LatencyHistogram();
        for (Reader reader : readers) {
            reader.join(60_000);
            if (reader.isAlive() && error == null) {
                error = new IllegalStateException("a look-up is not answered within 60 s");
            }
            latencies.add(reader.latencies);
        }
        long queries = latencies.count();
        System.out.printf(
                "{\"queries\": %d, \"seconds\": %.3f, \"qps\": %.1f, \"p50_us\": %.1f, \"p99_us\": %.1f, \"cpu_us\": %.2f, \"wrong\": %d, \"stale\": %d,"
                        + " \"upserts\": %d, \"error\": \"%s\"}%n",
                queries, seconds, queries / seconds, latencies.percentile(0.5) / 1e3, latencies.percentile(0.99) / 1e3, cpu / 1e3 / Math.max(1, queries),
                wrong.get(), stale.get(), upserted, error == null ? "" : error.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " "));
        return error == null;
    }

    private void sleep(double seconds) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = end - System.nanoTime(); left > 0 && error == null && sequence.get() < rows; left = end - System.nanoTime()) {
            Thread.sleep(Math.max(1, Math.min(100, left / 1_000_000)));
        }
    }

    private static long processCpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(option("url"), options.getOrDefault("user", "root"), "");
    }

    /** One connection of look-ups. */
    private final class Reader extends Thread {
        private final SplittableRandom random;
        private final Keys keys;
        private final CountDownLatch connected;
        private final LatencyHistogram latencies = new LatencyHistogram();

        Reader(int number, Keys keys, CountDownLatch connected) {
            super("reader-" + number);
            setDaemon(true);
            random = new SplittableRandom(number + 1L);
            this.keys = keys;
            this.connected = connected;
        }

        @Override
        public void run() {
            boolean counted = false;
            try (Connection connection = connect();
                    PreparedStatement statement = connection.prepareStatement(option("sql"))) {
                connected.countDown();
                counted = true;
                lookUp(statement);
            } catch (SQLException | RuntimeException failure) {
                error = failure;
            } finally {
                if (!counted) {
                    connected.countDown();
                }
            }
        }

        private void lookUp(PreparedStatement statement) throws SQLException {
            String prefix = options.get("key-prefix");
            int versionColumn = integer("version-column", 0);
            while (phase != Phase.DONE && error == null) {
                int key = keys.next(random);
                long oldest = versionColumn > 0 ? acknowledged.get(key) : 0;
                String text = prefix == null ? null : prefix + (10_000_000_000L + key);
                long begin = System.nanoTime();
                if (text == null) {
                    statement.setInt(1, key);
                } else {
                    statement.setString(1, text);
                }
                try (ResultSet result = statement.executeQuery()) {
                    if (!result.next() || !(text == null ? result.getInt(1) == key : text.equals(result.getString(1)))) {
                        wrong.incrementAndGet();
                    } else if (versionColumn > 0 && result.getLong(versionColumn) < oldest) {
                        stale.incrementAndGet();
                    }
                    if (result.next()) {
                        wrong.incrementAndGet();
                    }
                }
                if (phase == Phase.MEASURE) {
                    latencies.record(System.nanoTime() - begin);
                }
            }
        }
    }

    /** One connection of upserts at a steady rate; owns the keys that leave its number when divided by the count of its kind. */
    private final class Upserter extends Thread {
        private final int number;
        private final int count;

        Upserter(int number, int count) {
            super("upserter-" + number);
            setDaemon(true);
            this.number = number;
            this.count = count;
        }

        @Override
        public void run() {
            int batch = integer("upsert-batch", 50);
            long period = (long) (1e9 * batch * count / number("upserts-per-second", 1000));
            SplittableRandom random = new SplittableRandom(-1L - number);
            int[] changed = new int[batch];
            long version = integer("version-from", 1_000_000);
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                long next = System.nanoTime();
                while (phase != Phase.DONE && error == null) {
                    version++;
                    StringBuilder sql = new StringBuilder(option("upsert-head"));
                    for (int i = 0; i < batch; i++) {
                        changed[i] = random.nextInt(rows / count) * count + number;
                        String row = option("upsert").replace("{key}", Integer.toString(changed[i])).replace("{version}", Long.toString(version));
                        sql.append(i == 0 ? "" : ", ").append(row);
                    }
                    statement.executeUpdate(sql.append(options.getOrDefault("upsert-tail", "")).toString());
                    for (int key : changed) {
                        acknowledged.set(key, version);
                    }
                    upserts.addAndGet(batch);
                    next = Math.max(next + period, System.nanoTime() - 1_000_000_000L);
                    long wait = next - System.nanoTime();
                    if (wait > 0) {
                        Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                    }
                }
            } catch (SQLException | RuntimeException failure) {
                error = failure;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Where keys come from. */
    private interface Keys {
        int next(SplittableRandom random);
    }

    /** Zipfian ranks after Gray et al., scattered over the keys by a hash so that the popular ones do not lie together. */
    private static final class Zipfian implements Keys {
        private static final double THETA = 0.99;

        private final int count;
        private final double zeta;
        private final double eta;

        Zipfian(int count) {
            this.count = count;
            double sum = 0;
            for (int i = 1; i <= count; i++) {
                sum += Math.pow(i, -THETA);
            }
            zeta = sum;
            eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - (1 + Math.pow(0.5, THETA)) / zeta);
        }

        @Override
        public int next(SplittableRandom random) {
            double u = random.nextDouble();
            double uz = u * zeta;
            long rank = 0;
            if (uz >= 1 + Math.pow(0.5, THETA)) {
                rank = (long) (count * Math.pow(eta * u - eta + 1, 1 / (1 - THETA)));
            } else if (uz >= 1) {
                rank = 1;
            }
            return (int) Long.remainderUnsigned((rank + 1) * 0x9E3779B97F4A7C15L >>> 1, count);
        }
    }
}
