// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Takes load requests as soon as their headers are in: the answer is a redirect or a refusal, never "100 Continue", so the client
 * does not send the body here. Whatever it sends all the same is dropped, and the connection ends with the answer.
 */
final class LoadRequestHandler extends ChannelInboundHandlerAdapter {
    private static final int LINGER_SECONDS = 2;

    private final LoadRedirect redirect;
    private final Executor workers;
    private boolean dropping;

    LoadRequestHandler(LoadRedirect redirect, Executor workers) {
        this.redirect = redirect;
        this.workers = workers;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (dropping && message instanceof HttpObject) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request
                && request.decoderResult().isSuccess()
                && request.method().equals(HttpMethod.PUT)
                && LoadRedirect.isLoadPath(request.uri())) {
            dropping = true;
            String uri = request.uri();
            HttpHeaders headers = request.headers().copy();
            String client = ((InetSocketAddress) context.channel().remoteAddress())
                    .getAddress()
                    .getHostAddress();
            ReferenceCountUtil.release(message);
            workers.execute(() -> answer(context, redirect.answer(uri, headers, client)));
            return;
        }
        context.fireChannelRead(message);
    }

    private static void answer(ChannelHandlerContext context, HttpReply reply) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(reply.status()),
                Unpooled.wrappedBuffer(reply.body().asReadOnlyByteBuffer()));
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, reply.body().size());
        if (reply.body().size() > 0) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        }
        reply.headers().forEach((name, value) -> response.headers().set(name, value));
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(response).addListener(written -> context.channel()
                .eventLoop()
                // A close with unread input resets the connection and may destroy the answer on its way; so linger.
                .schedule(
                        () -> context.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE),
                        LINGER_SECONDS,
                        TimeUnit.SECONDS));
    }
}
