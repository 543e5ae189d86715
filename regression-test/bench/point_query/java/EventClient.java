// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Looks rows up by an integer key with a prepared statement over many connections from one thread, each sending its next look-up when
 * it has the answer to the last. What it costs hardly grows with the connections (they share its buffers), so that their number shows in the
 * server alone. Speaks as much of MySQL's protocol as that takes; the user has no password. Every answer is checked: one row, whose first column is the key. Options are `--name=value`: host, port, user, database, sql,
 * rows, connections, warm, seconds. Prints what PointQueryClient prints.
 */
public final class EventClient {
    private static final int CAPABILITIES = 1 /* LONG_PASSWORD */ | 8 /* CONNECT_WITH_DB */ | 0x200 /* PROTOCOL_41 */ | 0x8000 /* SECURE_CONNECTION */ | 0x80000 /* PLUGIN_AUTH */;
    private static final int MAX_PACKET = 1 << 24;
    private static final int UTF8MB4 = 45;
    private static final int HEADER = 4;

    private enum State {
        GREETING,
        LOGIN,
        PREPARING,
        PREPARED_PARAMETERS,
        COLUMN_COUNT,
        COLUMNS,
        ROWS
    }

    private final Map<String, String> options = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final Selector selector = Selector.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private final int rows;
    private int ready;
    private boolean measuring;
    private long wrong;

    private EventClient(String[] arguments) throws IOException {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("not --name=value: " + argument);
            }
            options.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        rows = Integer.parseInt(option("rows"));
    }

    public static void main(String[] arguments) throws IOException {
        String error = "";
        EventClient client = new EventClient(arguments);
        try {
            client.run();
        } catch (IOException | RuntimeException failure) {
            error = failure.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " ");
            client.print(1, 0, error);
        }
        System.exit(error.isEmpty() ? 0 : 1);
    }

    private String option(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    private void run() throws IOException {
        int connections = Integer.parseInt(option("connections"));
        InetSocketAddress server = new InetSocketAddress(option("host"), Integer.parseInt(option("port")));
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
            turn(0);
        }
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (ready < connections) {
            turn(100);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("only " + ready + " connections are ready after 60 s");
            }
        }
        // Only now: those that are connected would hold up those that are not.
        for (SelectionKey key : selector.keys()) {
            ((Connection) key.attachment()).execute();
        }
        turnFor(Double.parseDouble(option("warm")));
        System.out.println("measuring");
        System.out.flush();
        measuring = true;
        long begin = System.nanoTime();
        long cpu = processCpuNanos();
        turnFor(Double.parseDouble(option("seconds")));
        print((System.nanoTime() - begin) / 1e9, processCpuNanos() - cpu, "");
    }

    private void print(double seconds, long cpu, String error) {
        long queries = latencies.count();
        System.out.printf(
                "{\"queries\": %d, \"seconds\": %.3f, \"qps\": %.1f, \"p50_us\": %.1f, \"p99_us\": %.1f, \"cpu_us\": %.2f, \"wrong\": %d, \"stale\": 0, \"upserts\": 0,"
                        + " \"error\": \"%s\"}%n",
                queries, seconds, queries / seconds, latencies.percentile(0.5) / 1e3, latencies.percentile(0.99) / 1e3, cpu / 1e3 / Math.max(1, queries), wrong, error);
    }

    private static long processCpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private void turnFor(double seconds) throws IOException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            turn(Math.max(1, left / 1_000_000));
        }
    }

    /** @param millis how long to wait for the first answer; 0 does not wait */
    private void turn(long millis) throws IOException {
        try {
            if (millis == 0) {
                selector.selectNow(EventClient::serve);
            } else {
                selector.select(EventClient::serve, millis);
            }
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private static void serve(SelectionKey key) {
        try {
            ((Connection) key.attachment()).read();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** One connection, from its greeting on. */
    private final class Connection {
        private final SocketChannel channel;
        private byte[] rest = {}; // Of a packet that did not arrive whole.
        private State state = State.GREETING;
        private int statement;
        private int packetsLeft;
        private int columns;
        private int found;
        private int key;
        private long sent;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void read() throws IOException {
            in.clear().put(rest);
            if (channel.read(in) < 0) {
                throw new IOException("the server closed the connection");
            }
            in.flip();
            while (in.remaining() >= HEADER) {
                int length = in.getInt(in.position()) & 0xFFFFFF;
                if (in.remaining() < HEADER + length) {
                    break;
                }
                int body = in.position() + HEADER;
                int sequence = in.get(body - 1);
                packet(body, length, sequence);
                in.position(body + length);
            }
            if (in.remaining() == in.capacity()) {
                throw new IOException("a packet is larger than " + in.capacity() + " bytes");
            }
            if (in.hasRemaining() || rest.length > 0) {
                rest = new byte[in.remaining()];
                in.get(rest);
            }
        }

        private void packet(int body, int length, int sequence) throws IOException {
            int first = length == 0 ? -1 : in.get(body) & 0xFF;
            if (first == 0xFF && state != State.ROWS) {
                throw new IOException("the server says " + text(body + 3, length - 3));
            }
            switch (state) {
                case GREETING -> login(sequence + 1);
                case LOGIN -> {
                    if (first == 0xFE) {
                        begin(); // Another plugin: an empty password is empty everywhere.
                        send(sequence + 1);
                    } else {
                        prepare();
                    }
                }
                case PREPARING -> {
                    statement = in.getInt(body + 1);
                    // Definitions of columns and of parameters, each with its end.
                    int named = in.getShort(body + 5) & 0xFFFF;
                    int parameters = in.getShort(body + 7) & 0xFFFF;
                    packetsLeft = (named > 0 ? named + 1 : 0) + (parameters > 0 ? parameters + 1 : 0);
                    state = State.PREPARED_PARAMETERS;
                }
                case PREPARED_PARAMETERS -> {
                    packetsLeft--;
                    if (packetsLeft == 0) {
                        ready++;
                    }
                }
                case COLUMN_COUNT -> {
                    columns = first;
                    packetsLeft = columns + 1;
                    state = State.COLUMNS;
                }
                case COLUMNS -> {
                    packetsLeft--;
                    if (packetsLeft == 0) {
                        found = 0;
                        state = State.ROWS;
                    }
                }
                case ROWS -> row(body, length, first);
            }
        }

        private void row(int body, int length, int first) throws IOException {
            if (first == 0xFF) {
                throw new IOException("the server says " + text(body + 3, length - 3));
            }
            if (first == 0) {
                found++;
                int value = in.getInt(body + 1 + (columns + 9) / 8);
                wrong += value == key ? 0 : 1;
                return;
            }
            // The end.
            wrong += found == 1 ? 0 : 1;
            if (measuring) {
                latencies.record(System.nanoTime() - sent);
            }
            execute();
        }

        private String text(int from, int length) {
            byte[] bytes = new byte[Math.max(0, length)];
            in.get(from, bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        private void login(int sequence) throws IOException {
            begin();
            out.putInt(CAPABILITIES).putInt(MAX_PACKET).put((byte) UTF8MB4).put(new byte[23]);
            out.put(option("user").getBytes(StandardCharsets.UTF_8)).put((byte) 0);
            out.put((byte) 0);
            out.put(option("database").getBytes(StandardCharsets.UTF_8)).put((byte) 0);
            out.put("mysql_native_password".getBytes(StandardCharsets.UTF_8)).put((byte) 0);
            send(sequence);
            state = State.LOGIN;
        }

        private void prepare() throws IOException {
            begin();
            out.put((byte) 0x16).put(option("sql").getBytes(StandardCharsets.UTF_8));
            send(0);
            state = State.PREPARING;
        }

        private void execute() throws IOException {
            key = random.nextInt(rows);
            begin();
            out.put((byte) 0x17).putInt(statement).put((byte) 0).putInt(1);
            // No NULLs; the types are sent; one integer.
            out.put((byte) 0).put((byte) 1).putShort((short) 3).putInt(key);
            sent = System.nanoTime();
            state = State.COLUMN_COUNT;
            send(0);
        }

        private void begin() {
            out.clear().position(HEADER);
        }

        private void send(int sequence) throws IOException {
            out.putInt(0, (out.position() - HEADER) | sequence << 24);
            out.flip();
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }
    }
}
