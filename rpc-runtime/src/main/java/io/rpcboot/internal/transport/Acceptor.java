package io.rpcboot.internal.transport;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.rpcboot.internal.concurrent.EngineHealth;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.transport.PerAddressLimit.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Registers accepted connections on the event loops. Closes a connection that cannot be
 * registered, and pauses for 100 ms when accepting itself fails, as without file
 * descriptors. Event loop of the acceptor only.
 * <p>
 * Netty's own acceptor pauses for a second, and leaves the socket open of a connection
 * that it could not set up.
 */
final class Acceptor extends ChannelInboundHandlerAdapter {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final EventLoopGroup loops;

	private final ChannelHandler initializer;

	private final ConnectionAdmission admission;

	private final EngineHealth health;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.transport", System::nanoTime);

	/**
	 * Creates an acceptor for one server channel.
	 * @param loops event loops of the connections
	 * @param initializer sets up each connection; sharable
	 * @param admission decides which clients are served
	 * @param health logs failures
	 */
	Acceptor(EventLoopGroup loops, ChannelHandler initializer, ConnectionAdmission admission, EngineHealth health) {
		this.loops = loops;
		this.initializer = initializer;
		this.admission = admission;
		this.health = health;
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		Channel child = (Channel) message;
		Slot slot = null;
		try {
			SocketAddress remote = child.remoteAddress();
			slot = this.admission.isProxy(remote) ? PerAddressLimit.UNCOUNTED : this.admission.admit(remote);
			if (slot == null) {
				child.unsafe().closeForcibly();
				return;
			}
			Slot taken = slot;
			child.closeFuture().addListener((closed) -> taken.leave());
			child.pipeline().addLast(this.initializer);
			this.loops.register(child).addListener((registered) -> {
				if (!registered.isSuccess()) {
					close(child, taken);
				}
			});
		}
		catch (Throwable ex) {
			close(child, slot);
			this.health.log().survived("Accepting a connection", ex);
		}
	}

	/**
	 * Closes a connection and frees its slot. Without a loop the close future of the
	 * connection notifies no listener.
	 */
	private static void close(Channel child, @Nullable Slot slot) {
		child.unsafe().closeForcibly();
		if (slot != null) {
			slot.leave();
		}
	}

	/** Pauses; this loop does nothing but accept. */
	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		LockSupport.parkNanos(PAUSE_NANOS);
		if (cause instanceof Error) {
			this.health.log().survived("Accepting connections", cause);
		}
		else {
			this.log.warn("Accepting connections failed", "%s; trying on".formatted(cause.toString()));
		}
	}

}
