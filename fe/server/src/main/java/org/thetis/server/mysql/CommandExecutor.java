// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.metrics.Counter;
import org.thetis.catalog.object.Table;
import org.thetis.query.result.HeldRowStream;
import org.thetis.query.result.ResultColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.PreparedStatement;
import org.thetis.query.session.Session;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.expr.ColumnOrigin;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.ParsedStatement;

/** Runs a connection's commands, one at a time, on worker threads; streamed results finish on the threads that deliver them. */
final class CommandExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(CommandExecutor.class);

    private final MysqlServices services;
    private final Session session;
    private final Channel channel;
    private final PacketWriter writer;
    private final int capabilities;
    private final byte[] scramble;
    private final Counter requests;

    /** The result that streams now, for the event loop's signals. */
    private volatile @Nullable ResultSender sending;

    private volatile boolean closed;

    CommandExecutor(
            MysqlServices services,
            Session session,
            Channel channel,
            PacketWriter writer,
            int capabilities,
            byte[] scramble) {
        this.services = services;
        this.session = session;
        this.channel = channel;
        this.writer = writer;
        this.capabilities = capabilities;
        this.scramble = scramble;
        this.requests = services.metrics().counter("request_total", "Commands received from MySQL clients.");
    }

    /** Runs one command and takes its payload over; `done` is called, on any thread, when the reply is complete. */
    void execute(ByteBuf payload, Runnable done) {
        requests.increment();
        boolean finished = true;
        try {
            finished = dispatch(payload, done);
        } catch (ThetisException failure) {
            sendError(failure);
        } catch (RuntimeException bug) {
            LOG.error("command failed unexpectedly connection={}", session.id(), bug);
            sendError(new ThetisException(ErrorCode.INTERNAL, "internal error: " + bug.getMessage(), bug));
        } finally {
            payload.release();
        }
        if (finished) {
            done.run();
        }
    }

    /** The client is gone: whatever streams to it ends. */
    void channelClosed() {
        closed = true;
        ResultSender current = sending;
        if (current != null) {
            current.clientLeft();
        }
    }

    void writabilityChanged(boolean writable) {
        ResultSender current = sending;
        if (current != null) {
            current.writabilityChanged(writable);
        }
    }

    /** Whether a command is so small that handing it to a worker would cost more than the command. */
    static boolean isSmall(ByteBuf payload) {
        return payload.isReadable()
                && switch (payload.getUnsignedByte(payload.readerIndex())) {
                    case Command.PING,
                            Command.STMT_CLOSE,
                            Command.STMT_RESET,
                            Command.STMT_SEND_LONG_DATA,
                            Command.STATISTICS,
                            Command.SET_OPTION -> true;
                    default -> false;
                };
    }

    /** Gives whether the reply is complete on return. */
    private boolean dispatch(ByteBuf payload, Runnable done) {
        int command = ProtocolBytes.readUnsignedByte(payload);
        switch (command) {
            case Command.QUIT -> channel.close();
            case Command.INIT_DB -> {
                useDatabase(ProtocolBytes.readRemaining(payload));
                sendOk();
            }
            case Command.QUERY -> {
                return query(text(payload), done);
            }
            case Command.FIELD_LIST -> fieldList(ProtocolBytes.readNulTerminated(payload));
            case Command.STATISTICS, Command.DEBUG, Command.PING, Command.SET_OPTION -> sendOk();
            case Command.STMT_PREPARE -> prepare(text(payload));
            case Command.STMT_EXECUTE -> {
                return executePrepared(payload, done);
            }
            case Command.STMT_SEND_LONG_DATA -> longData(payload);
            case Command.STMT_CLOSE -> session.prepared().remove(ProtocolBytes.readInt(payload));
            case Command.STMT_RESET -> {
                session.prepared().get(ProtocolBytes.readInt(payload)).clearLongData();
                sendOk();
            }
            case Command.RESET_CONNECTION -> {
                session.reset();
                sendOk();
            }
            case Command.CHANGE_USER -> changeUser(payload);
            default -> throw new ThetisException(ErrorCode.UNKNOWN_COMMAND, "Unknown command: " + command);
        }
        return true;
    }

    void useDatabase(String name) {
        String database = name;
        int dot = name.indexOf('.');
        if (dot >= 0) {
            if (!name.substring(0, dot).equals(Session.INTERNAL_CATALOG) || name.indexOf('.', dot + 1) >= 0) {
                throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown database '" + name + "'");
            }
            database = name.substring(dot + 1);
        }
        if (!services.schemaTables().isBuiltIn(database)) {
            services.catalog().snapshot().getDatabase(database);
            services.catalog().snapshot().accessChecker().checkDatabaseVisible(session.identity(), database);
        }
        session.useDatabase(database);
    }

    private boolean query(String sql, Runnable done) {
        List<ParsedStatement> statements = services.runner().parse(sql, session);
        if (statements.isEmpty()) {
            sendOk();
            return true;
        }
        return runAll(statements.iterator(), done);
    }

    /** Runs statements until one streams its result; the rest then follows from its end. */
    private boolean runAll(Iterator<ParsedStatement> statements, Runnable done) {
        while (statements.hasNext()) {
            ParsedStatement statement = statements.next();
            boolean last = !statements.hasNext();
            boolean send = last || Capability.has(capabilities, Capability.MULTI_STATEMENTS);
            StatementResult result = services.runner().run(session, statement, List.of(), false);
            if (!send(result, false, !last, send, () -> resume(statements, done), done)) {
                return false;
            }
        }
        return true;
    }

    private void resume(Iterator<ParsedStatement> rest, Runnable done) {
        if (!rest.hasNext()) {
            done.run();
            return;
        }
        // Result streams end on transport threads, where no statement may run.
        services.workers().execute(() -> {
            boolean finished = true;
            try {
                finished = runAll(rest, done);
            } catch (ThetisException failure) {
                sendError(failure);
            }
            if (finished) {
                done.run();
            }
        });
    }

    /** Sends a result; gives whether it is complete. `after` runs when a streamed one ended well, `stop` when it failed. */
    private boolean send(
            StatementResult result,
            boolean binaryRows,
            boolean moreResults,
            boolean send,
            Runnable after,
            Runnable stop) {
        if (result instanceof StatementResult.Done ok) {
            if (send) {
                ByteBuf out = writer.allocate();
                Replies.ok(out, ok.affectedRows(), ok.warnings(), ok.text(), moreResults);
                writer.writeAndFlush(out);
            }
            return true;
        }
        ResultSender sender;
        if (result instanceof StatementResult.Held held) {
            sender = new ResultSender(channel, writer, held.columns(), new HeldRowStream(held, binaryRows));
        } else {
            StatementResult.Streamed streamed = (StatementResult.Streamed) result;
            sender = new ResultSender(channel, writer, streamed.columns(), streamed.stream());
        }
        sending = sender;
        if (closed) {
            sender.clientLeft();
        }
        sender.start(send, moreResults, session.variables().settings().netWriteTimeout(), succeeded -> {
            sending = null;
            (succeeded ? after : stop).run();
        });
        return false;
    }

    private void fieldList(String tableName) {
        Table table = services.catalog().snapshot().getTable(session.requireDatabase(), tableName);
        table.columns().forEach(column -> {
            if (column.visible()) {
                ByteBuf out = writer.allocate();
                ColumnOrigin origin = new ColumnOrigin(session.requireDatabase(), table.name(), column.name());
                ColumnDefinitions.write(out, new ResultColumn(column.name(), column.type(), origin), true);
                writer.write(out);
            }
        });
        ByteBuf out = writer.allocate();
        Replies.eof(out, false);
        writer.writeAndFlush(out);
    }

    private void prepare(String sql) {
        if (!session.variables().settings().enableServerSidePreparedStatement()) {
            throw new ThetisException(ErrorCode.NOT_SUPPORTED, "server-side prepared statements are switched off");
        }
        List<ParsedStatement> statements = services.runner().parse(sql, session);
        if (statements.size() != 1) {
            throw new ThetisException(
                    ErrorCode.SYNTAX_ERROR, "exactly one statement can be prepared, not " + statements.size());
        }
        ParsedStatement parsed = statements.get(0);
        if (parsed.statement() instanceof Insert insert && insert.label() != null) {
            throw new ThetisException(ErrorCode.NOT_SUPPORTED, "INSERT WITH LABEL cannot be prepared");
        }
        int id = session.prepared()
                .add(
                        new PreparedStatement(parsed.statement(), parsed.text(), parsed.parameterCount()),
                        session.variables().settings().maxPreparedStmtCount());
        ByteBuf out = writer.allocate();
        out.writeByte(0)
                .writeIntLE(id)
                .writeShortLE(0)
                .writeShortLE(parsed.parameterCount())
                .writeByte(0)
                .writeShortLE(0);
        writer.write(out);
        for (int i = 0; i < parsed.parameterCount(); i++) {
            ByteBuf definition = writer.allocate();
            ColumnDefinitions.writeParameter(definition, i);
            writer.write(definition);
        }
        if (parsed.parameterCount() > 0) {
            ByteBuf end = writer.allocate();
            if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
                Replies.ok(end, 0, 0, "", false);
            } else {
                Replies.eof(end, false);
            }
            writer.write(end);
        }
        writer.flush();
    }

    private boolean executePrepared(ByteBuf payload, Runnable done) {
        PreparedStatement statement = session.prepared().get(ProtocolBytes.readInt(payload));
        int cursor = ProtocolBytes.readUnsignedByte(payload);
        // The iteration count has no meaning.
        ProtocolBytes.readInt(payload);
        if (cursor != 0) {
            throw new ThetisException(
                    ErrorCode.NOT_SUPPORTED,
                    "server-side cursors are not supported: execute without a cursor (useCursorFetch=false)");
        }
        List<Literal> parameters = BinaryParameters.read(payload, statement);
        statement.clearLongData();
        ParsedStatement parsed = new ParsedStatement(statement.statement(), statement.sql(), statement.numParameters());
        StatementResult result = services.runner().run(session, parsed, parameters, true);
        return send(result, true, false, true, done, done);
    }

    /** No reply, whatever happens; a failure shows at EXECUTE. */
    private void longData(ByteBuf payload) {
        int id = ProtocolBytes.readInt(payload);
        int parameter = ProtocolBytes.readUnsignedShort(payload);
        byte[] bytes = ProtocolBytes.readBytes(payload, payload.readableBytes());
        session.prepared().find(id).ifPresent(statement -> statement.appendLongData(parameter, bytes));
    }

    /** Only to the same account: sessions keep their identity for life, as the process list and limits count on it. */
    private void changeUser(ByteBuf payload) {
        String user = LoginRequest.cut(ProtocolBytes.readNulTerminated(payload));
        byte[] answer = ProtocolBytes.readBytes(payload, ProtocolBytes.readUnsignedByte(payload));
        String database = ProtocolBytes.readNulTerminated(payload);
        if (!user.equals(session.userName())) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED,
                    "Access denied for user '" + user + "' (using password: " + (answer.length > 0 ? "YES" : "NO")
                            + "): connect anew to become another user");
        }
        services.authenticator().byScramble(user, session.clientHost(), answer, scramble);
        session.reset();
        if (!database.isEmpty()) {
            useDatabase(database);
        }
        sendOk();
    }

    /** The statement a COM_QUERY carries, behind its command byte. */
    static String text(ByteBuf payload) {
        String sql = ProtocolBytes.readRemaining(payload);
        int end = sql.length();
        while (end > 0 && sql.charAt(end - 1) == '\0') {
            end--;
        }
        return sql.substring(0, end);
    }

    private void sendOk() {
        ByteBuf out = writer.allocate();
        Replies.ok(out, 0, 0, "", false);
        writer.writeAndFlush(out);
    }

    private void sendError(ThetisException failure) {
        ByteBuf out = writer.allocate();
        Replies.error(out, failure);
        writer.writeAndFlush(out);
    }
}
