// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.HttpSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.User;

/** Finds the endpoint of a request, checks who calls, and runs it on a worker. */
final class HttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);

    private final HttpServices services;
    private final Router router;
    private final HttpSettings settings;

    HttpHandler(HttpServices services, Router router, HttpSettings settings) {
        this.services = services;
        this.router = router;
        this.settings = settings;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        if (!request.decoderResult().isSuccess()) {
            write(context, HttpReply.failure(400, "Bad Request", "malformed request"), false);
            return;
        }
        String method = request.method().name();
        // HEAD is GET without a body; the codec drops it.
        String routed = request.method().equals(HttpMethod.HEAD) ? "GET" : method;
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        Optional<Router.Match> match = router.find(routed, uri.path());
        if (match.isEmpty()) {
            write(
                    context,
                    HttpReply.json(
                            404,
                            Map.of("msg", "Not Found", "code", 404, "data", "no such path: " + uri.path(), "count", 0)),
                    keepAlive);
            return;
        }
        ByteString body = ByteString.copyFrom(request.content().nioBuffer());
        HttpHeaders headers = request.headers().copy();
        InetSocketAddress client = (InetSocketAddress) context.channel().remoteAddress();
        Map<String, List<String>> query = uri.parameters();
        try {
            services.workers()
                    .execute(() -> write(
                            context, run(match.get(), method, uri.path(), query, headers, body, client), keepAlive));
        } catch (RejectedExecutionException full) {
            write(context, HttpReply.failure(500, "Error", "too many requests are running"), keepAlive);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug(
                "http connection closed client={} reason={}", context.channel().remoteAddress(), cause.toString());
        context.close();
    }

    private HttpReply run(
            Router.Match match,
            String method,
            String path,
            Map<String, List<String>> query,
            HttpHeaders headers,
            ByteString body,
            InetSocketAddress client) {
        Endpoint endpoint = match.endpoint();
        try {
            User user = login(endpoint, headers, client);
            return endpoint.handle(new HttpCall(
                    method,
                    path,
                    match.parts(),
                    query,
                    headers,
                    body,
                    client.getAddress().getHostAddress(),
                    client.getPort(),
                    user));
        } catch (ThetisException failure) {
            return failed(failure);
        } catch (RuntimeException bug) {
            LOG.error("http request failed unexpectedly path={}", path, bug);
            return HttpReply.failure(500, "Error", "internal error: " + bug.getMessage());
        }
    }

    private static HttpReply failed(ThetisException failure) {
        return switch (failure.code()) {
            case ACCESS_DENIED -> HttpReply.unauthorized(failure.text());
            case ACCESS_DENIED_SPECIFIC, ACCESS_DENIED_DATABASE, ACCESS_DENIED_TABLE ->
                HttpReply.failure(401, "Unauthorized", failure.text());
            default -> HttpReply.failure(HttpReply.GENERIC_FAILURE, "Error", failure.text());
        };
    }

    private @Nullable User login(Endpoint endpoint, HttpHeaders headers, InetSocketAddress client) {
        if (endpoint.access() == Endpoint.Access.NONE && !settings.enableAllHttpAuth()) {
            return null;
        }
        BasicCredentials credentials = BasicCredentials.of(headers)
                .orElseThrow(() -> new ThetisException(ErrorCode.ACCESS_DENIED, "Need auth information."));
        User user = services.authenticator()
                .byPassword(credentials.user(), client.getAddress().getHostAddress(), credentials.password());
        if (endpoint.access() == Endpoint.Access.ADMIN) {
            services.catalog().snapshot().accessChecker().checkGlobal(user.identity(), Privilege.ADMIN);
        }
        return user;
    }

    private void write(ChannelHandlerContext context, HttpReply reply, boolean keepAlive) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(reply.status()),
                Unpooled.wrappedBuffer(reply.body().asReadOnlyByteBuffer()));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, reply.body().size());
        response.headers()
                .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, settings.accessControlAllowedOriginDomain());
        reply.headers().forEach((name, value) -> response.headers().set(name, value));
        HttpUtil.setKeepAlive(response, keepAlive);
        ChannelFuture written = context.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }
}
