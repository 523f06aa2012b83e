package io.rpcboot.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.rpcboot.internal.transport.PerAddressLimit.Slot;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * First handler of a connection of a proxy. Reads the header of the PROXY protocol,
 * version 2, then hands the connection on under the address of its client and removes
 * itself. Closes a connection without a header. Event loop only.
 *
 * <pre>
 *  0  12  signature
 * 12   1  0x20 LOCAL, by the proxy itself; 0x21 PROXY, for a client
 * 13   1  0x11 TCP over IPv4; 0x21 TCP over IPv6; others have no address
 * 14   2  number of bytes that follow
 * 16      addresses of the client and of the server: 4 or 16 bytes each; their ports: 2 bytes each; extensions
 * </pre>
 *
 * @see <a href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">PROXY
 * protocol, section 2.2</a>
 */
final class ProxyProtocolDecoder extends ByteToMessageDecoder {

	private static final byte[] SIGNATURE = { 0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 'Q', 'U', 'I', 'T', 0x0a };

	private static final int COMMAND = 12;

	private static final int LOCAL = 0x20;

	private static final int PROXY = 0x21;

	private static final int FAMILY = 13;

	private static final int TCP_4 = 0x11;

	private static final int TCP_6 = 0x21;

	private static final int LENGTH = 14;

	private static final int HEADER = 16;

	private final ConnectionAdmission admission;

	private final Channel channel;

	private final Duration timeout;

	private final Consumer<SocketAddress> serve;

	private @Nullable Future<?> timer;

	private boolean isClosed;

	/**
	 * Creates a decoder.
	 * @param channel the connection
	 * @param admission decides about the client
	 * @param timeout longest time until the header is complete
	 * @param serve adds the handlers of the connection with this client
	 */
	ProxyProtocolDecoder(Channel channel, ConnectionAdmission admission, Duration timeout,
			Consumer<SocketAddress> serve) {
		this.channel = channel;
		this.admission = admission;
		this.timeout = timeout;
		this.serve = serve;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		this.timer = context.executor()
			.schedule(() -> refuse("no whole header within rpc.server.handshake-timeout, which is " + this.timeout),
					Options.nanos(this.timeout), TimeUnit.NANOSECONDS);
	}

	@Override
	protected void handlerRemoved0(ChannelHandlerContext context) {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	@Override
	protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws UnknownHostException {
		int start = in.readerIndex();
		int known = Math.min(in.readableBytes(), SIGNATURE.length);
		if (this.isClosed) {
			in.skipBytes(in.readableBytes());
		}
		else if (!ByteBufUtil.equals(in, start, Unpooled.wrappedBuffer(SIGNATURE), 0, known)) {
			refuse("no header");
		}
		else if (in.readableBytes() >= HEADER) {
			int command = in.getUnsignedByte(start + COMMAND);
			if (command != LOCAL && command != PROXY) {
				refuse("a header of another version or command: 0x%02x".formatted(command));
			}
			else if (in.readableBytes() >= HEADER + in.getUnsignedShort(start + LENGTH)) {
				int family = in.getUnsignedByte(start + FAMILY);
				ByteBuf addresses = in.skipBytes(HEADER).readSlice(in.getUnsignedShort(start + LENGTH));
				serve(context, (command == PROXY) ? client(family, addresses) : null);
			}
		}
	}

	/** Returns the address of the client, null if the header has none. */
	private static @Nullable SocketAddress client(int family, ByteBuf addresses) throws UnknownHostException {
		int size = switch (family) {
			case TCP_4 -> 4;
			case TCP_6 -> 16;
			default -> 0;
		};
		if (size == 0) {
			return null;
		}
		byte[] address = new byte[size];
		addresses.readBytes(address);
		int ports = addresses.skipBytes(size).readInt();
		return new InetSocketAddress(InetAddress.getByAddress(address), ports >>> Short.SIZE);
	}

	private void serve(ChannelHandlerContext context, @Nullable SocketAddress client) {
		SocketAddress remote = (client != null) ? client : this.channel.remoteAddress();
		Slot slot = this.admission.admit(remote);
		if (slot == null) {
			close();
			return;
		}
		this.channel.closeFuture().addListener((closed) -> slot.leave());
		this.serve.accept(remote);
		context.fireChannelActive();
		context.pipeline().remove(this); // hands on the bytes after the header
	}

	private void refuse(String problem) {
		if (!this.isClosed) {
			this.admission.refused(
					"rpc.server.proxy-protocol.from has %s, which sends %s (expected: a header of the PROXY protocol, version 2)"
						.formatted(Transport.describe(this.channel.remoteAddress()), problem));
			close();
		}
	}

	private void close() {
		this.isClosed = true;
		this.channel.close();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		if (cause.getCause() instanceof IndexOutOfBoundsException) {
			refuse("a header that is too short for its addresses");
		}
		close();
		ResilientEventLoops.closed(cause);
	}

}
