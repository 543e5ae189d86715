// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.point;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.server.net.EventLoops;
import org.thetis.server.testing.FakeLookupBackend;
import org.thetis.server.testing.FakeLookupBackend.Answer;
import org.thetis.wire.BackendAddress;
import org.thetis.wire.lookup.KeysOfTablet;
import org.thetis.wire.lookup.LookupBody;
import org.thetis.wire.lookup.LookupCall;
import org.thetis.wire.lookup.LookupClients;
import org.thetis.wire.lookup.LookupLimits;
import org.thetis.wire.lookup.LookupReplyHead;
import org.thetis.wire.proto.LookupReply;
import org.thetis.wire.proto.LookupRequest;

/** The look-up client against a back end that answers late, out of order, wrongly or not at all. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LookupClientTest {
    private static final LookupLimits LIMITS = new LookupLimits(
            100,
            1 << 20,
            1 << 20,
            Duration.ofSeconds(2),
            Duration.ofMillis(400),
            Duration.ofMillis(400),
            Duration.ofSeconds(60),
            Duration.ofMillis(5));
    private static final long LONG = Duration.ofSeconds(30).toNanos();

    private final EventLoops loops = new EventLoops(1);
    private final MetricRegistry metrics = new MetricRegistry();
    private final LookupClients clients = new LookupClients(LIMITS, metrics);
    private final EventLoop loop = loops.workers().next();
    private FakeLookupBackend backend;
    private BackendAddress address;

    @BeforeEach
    void start() throws Exception {
        backend = new FakeLookupBackend(LookupClientTest::echo);
        address = new BackendAddress(1, "127.0.0.1", backend.port());
    }

    @AfterEach
    void stop() throws Exception {
        clients.close();
        loops.close();
        backend.close();
    }

    @Test
    void repliesFindTheirCallsInAnyOrder() throws Exception {
        backend.behave(request -> new Answer.Reply(
                LookupReply.newBuilder().setNumRows(1).build(),
                ByteString.copyFrom(keyOf(request)),
                10L * (20 - keyOf(request)[0])));
        List<CompletableFuture<String>> calls = onLoop(20, LONG);
        for (int i = 0; i < 20; i++) {
            assertThat(calls.get(i).get())
                    .isEqualTo("1 row: " + Integer.toHexString(0x100 | i).substring(1));
        }
        assertThat(backend.accepted()).isEqualTo(1);
        assertThat(metrics.toPrometheusText()).contains("doris_fe_point_query_batch_calls_count 1\n");
    }

    @Test
    void aPlanTravelsOnceAndAgainWhenItIsAskedFor() throws Exception {
        assertThat(onLoop(1, LONG).get(0).get()).isEqualTo("1 row: 00");
        assertThat(onLoop(1, LONG).get(0).get()).isEqualTo("1 row: 00");
        assertThat(backend.requests().get(0).getPlan().toStringUtf8()).isEqualTo("plan");
        assertThat(backend.requests().get(1).getPlan().isEmpty()).isTrue();
        backend.behave(request -> request.getPlan().isEmpty() ? Answer.needsPlan() : echo(request));
        assertThat(onLoop(1, LONG).get(0).get()).isEqualTo("1 row: 00");
        assertThat(backend.requests()).hasSize(4);
        backend.behave(request -> Answer.needsPlan());
        assertThat(onLoop(1, LONG).get(0).get()).startsWith("INTERNAL").contains("did not take the plan");
    }

    @Test
    void aLostConnectionFailsItsCallsAtOnceAndIsOpenedAgain() throws Exception {
        backend.behave(request -> keyOf(request)[0] == 4 ? new Answer.Disconnect() : new Answer.Silence());
        for (CompletableFuture<String> call : onLoop(5, LONG)) {
            assertThat(call.get()).startsWith("RPC_ERROR unreachable").contains("UNAVAILABLE");
        }
        backend.behave(LookupClientTest::echo);
        assertThat(onLoop(1, LONG).get(0).get())
                .startsWith("RPC_ERROR unreachable")
                .contains("cannot be reached");
        awaitRow();
        assertThat(backend.requests()
                        .get(backend.requests().size() - 1)
                        .getPlan()
                        .isEmpty())
                .isFalse();
    }

    @Test
    void aBackEndThatIsNotThereIsAnErrorSoon() throws Exception {
        backend.kill();
        assertThat(onLoop(1, LONG).get(0).get()).startsWith("RPC_ERROR unreachable");
        backend.restart();
        awaitRow();
    }

    @Test
    void callsPastTheirDeadlineFailAndLateRepliesAreDropped() throws Exception {
        backend.behave(request -> new Answer.Reply(
                LookupReply.newBuilder().setNumRows(1).build(), ByteString.copyFrom(keyOf(request)), 200));
        assertThat(onLoop(1, Duration.ofMillis(50).toNanos()).get(0).get()).startsWith("TIMEOUT look-up");
        Thread.sleep(250);
        backend.behave(LookupClientTest::echo);
        assertThat(onLoop(1, LONG).get(0).get()).isEqualTo("1 row: 00");
        assertThat(backend.accepted()).isEqualTo(1);
    }

    @Test
    void moreCallsThanAConnectionTakesFailAtOnce() throws Exception {
        backend.behave(request -> new Answer.Silence());
        List<CompletableFuture<String>> calls = onLoop(101, LONG);
        assertThat(calls.get(100).get())
                .doesNotContain("unreachable")
                .startsWith("RPC_ERROR")
                .contains("is busy");
        assertThat(calls.get(99)).isNotDone();
        clients.close();
        assertThat(calls.get(99).get()).contains("the front end stops");
    }

    @Test
    void malformedAndOversizedRepliesCostTheConnection() throws Exception {
        backend.behave(request -> new Answer.Raw(ByteString.copyFromUtf8("HTTP/1.1 400 Bad Request")));
        assertThat(onLoop(1, LONG).get(0).get()).startsWith("RPC_ERROR").contains("not a baidu_std frame");
        backend.behave(LookupClientTest::echo);
        awaitRow();
        backend.behave(request ->
                new Answer.Raw(ByteString.copyFrom(new byte[] {'P', 'R', 'P', 'C', 0x7F, 0, 0, 0, 0, 0, 0, 1})));
        assertThat(onLoop(1, LONG).get(0).get()).startsWith("RPC_ERROR").contains("a reply of");
        backend.behave(LookupClientTest::echo);
        awaitRow();
    }

    @Test
    void largeRepliesArriveWholeAndInPieces() throws Exception {
        byte[] rows = new byte[1_000_000];
        rows[999_999] = 7;
        backend.behave(request -> Answer.rows(3, rows));
        String expected = "3 row: " + ByteBufUtil.hexDump(rows);
        for (CompletableFuture<String> call : onLoop(5, LONG)) {
            assertThat(call.get()).isEqualTo(expected);
        }
    }

    /** The back-off passes, and calls are answered again. */
    private void awaitRow() throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        String last = "";
        while (!last.equals("1 row: 00")) {
            assertThat(System.nanoTime()).as("still: " + last).isLessThan(deadline);
            last = onLoop(1, LONG).get(0).get();
        }
    }

    private static Answer echo(LookupRequest request) {
        return Answer.rows(1, keyOf(request));
    }

    private static byte[] keyOf(LookupRequest request) {
        return request.getTablets(0).getKeys(0).toByteArray();
    }

    /** Calls with the keys 0, 1, ... in one turn of the loop; each gives its rows in hex, or its error. */
    private List<CompletableFuture<String>> onLoop(int count, long timeoutNanos) throws Exception {
        List<CompletableFuture<String>> results = new ArrayList<>();
        loop.submit(() -> {
                    for (int i = 0; i < count; i++) {
                        CompletableFuture<String> result = new CompletableFuture<>();
                        results.add(result);
                        clients.of(loop).send(address, call((byte) i, result), timeoutNanos);
                    }
                })
                .get();
        return results;
    }

    private static LookupCall call(byte key, CompletableFuture<String> result) {
        LookupBody body = new LookupBody(
                1,
                2,
                "plan".getBytes(StandardCharsets.UTF_8),
                true,
                List.of(new KeysOfTablet(10, 2, List.of(new byte[] {key}))),
                new byte[0]);
        return new LookupCall(body) {
            @Override
            protected void onReply(LookupReplyHead head, ByteBuf rows) {
                ErrorCode code = ErrorCode.of(head.code()).orElse(null);
                result.complete(
                        code == null || head.code() == 0
                                ? head.numRows() + " row: " + ByteBufUtil.hexDump(rows)
                                : code + " " + head.message());
            }

            @Override
            protected void onFailure(ThetisException failure, boolean unreachable) {
                result.complete(failure.code() + (unreachable ? " unreachable " : " ") + failure.text());
            }
        };
    }
}
