package io.rpcboot.internal.server.connection.lines;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.connection.ServerProtocol;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.connection.ProtocolHandler;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A third protocol: each line of text is a call, and so is each answer. With
 * {@link LineConnection} and {@link LineResponse} this is all that a protocol needs.
 */
record LineProtocol(ServerResources server, Invocation method) implements ServerProtocol {

	private static final int MAX_LINE = 1000;

	/** Stand in for the native protocol, because the names of protocols are public. */
	@Override
	public Set<Protocol> names() {
		return Set.of(Protocol.NATIVE);
	}

	@Override
	public String title() {
		return "lines of text";
	}

	@Override
	public boolean begins(int first) {
		return first == 0x73617920; // "say "
	}

	@Override
	public InboundHandler open(Connection connection) {
		LineConnection lines = new LineConnection(connection, this.server, this.method);
		return new Handler(connection, lines, lines::onLine);
	}

	/** Finds the ends of lines. */
	private static final class Handler extends ProtocolHandler {

		private final Consumer<String> lines;

		private byte[] line = new byte[MAX_LINE];

		private int length;

		private boolean stopped;

		Handler(Connection connection, LineConnection listener, Consumer<String> lines) {
			super(connection, listener);
			this.lines = lines;
		}

		@Override
		protected void begin(byte[] chunk) {
		}

		@Override
		protected void read(ByteBuf in, long nanos) {
			while (in.isReadable() && !this.stopped) {
				byte next = in.readByte();
				if (next == '\n') {
					this.lines.accept(new String(this.line, 0, this.length, StandardCharsets.UTF_8));
					this.length = 0;
				}
				else if (this.length == MAX_LINE) {
					throw new ProtocolException("a line of more than %d bytes".formatted(MAX_LINE));
				}
				else {
					this.line[this.length++] = next;
				}
			}
		}

		@Override
		public void stop() {
			this.stopped = true;
		}

		@Override
		public @Nullable Protocol protocol() {
			return Protocol.NATIVE;
		}

	}

}
