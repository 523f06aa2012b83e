package io.rpcboot.internal.transport.connection;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listeners of a connection: in their order, {@code closed} after
 * {@code connected}, never on an event loop. Any thread.
 */
public final class ConnectionNotifier implements RpcConnection {

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	private final List<RpcConnectionListener> listeners;

	private final Executor executor;

	private final Side side;

	private final String remote;

	private final Protocol protocol;

	private volatile String application;

	private volatile CallerIdentity identity = CallerIdentity.anonymous();

	private final ConcurrentMap<String, Object> attributes = new ConcurrentHashMap<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.CONNECTING);

	private volatile String reason = "";

	private ConnectionNotifier(List<RpcConnectionListener> listeners, Executor executor, Side side, Protocol protocol,
			String remote, String application) {
		this.listeners = listeners;
		this.executor = executor;
		this.side = side;
		this.protocol = protocol;
		this.remote = remote;
		this.application = application;
	}

	private enum State {

		/** {@code connected} is being called or will be. */
		CONNECTING,

		/** {@code connected} has been called. */
		CONNECTED,

		/** The connection was closed before {@code connected} had been called. */
		CLOSED

	}

	/**
	 * Notifies listeners of an established connection.
	 * @param listeners called in this order
	 * @param executor runs the listeners
	 * @param side this side
	 * @param protocol protocol that both speak
	 * @param remote address and port of the peer
	 * @param application name that the peer sent, empty until it is known
	 * @param identity identity that the peer has proved
	 * @return the connection
	 */
	public static ConnectionNotifier connected(List<RpcConnectionListener> listeners, Executor executor, Side side,
			Protocol protocol, String remote, String application, CallerIdentity identity) {
		ConnectionNotifier connection = new ConnectionNotifier(List.copyOf(listeners), executor, side, protocol, remote,
				application);
		connection.identity = identity;
		connection.execute(connection::notifyConnected);
		return connection;
	}

	/** Returns the identity of a peer, anonymous before the handshake. */
	public static CallerIdentity identity(@Nullable RpcConnection peer) {
		return (peer != null) ? peer.identity() : CallerIdentity.anonymous();
	}

	/** Sets the identity that the peer has proved. */
	public void identified(CallerIdentity proved) {
		this.identity = proved;
	}

	/** Sets the name of the peer's application. */
	public void named(String name) {
		this.application = name;
	}

	/**
	 * Notifies the listeners of the close. Called once.
	 * @param why reason for the log
	 */
	public void closed(String why) {
		this.reason = why;
		if (!this.state.compareAndSet(State.CONNECTING, State.CLOSED)) {
			execute(this::notifyClosed);
		}
	}

	/** Runs a task, but not on an event loop: a closed pool runs tasks in its caller. */
	private void execute(Runnable task) {
		if (this.listeners.isEmpty()) {
			return;
		}
		this.executor.execute(() -> {
			if (Thread.currentThread() instanceof EventLoopThread) {
				Thread thread = new Thread(task, "rpc-listener");
				thread.setDaemon(true);
				thread.start();
			}
			else {
				task.run();
			}
		});
	}

	private void notifyConnected() {
		notifyAll((listener) -> listener.connected(this));
		if (!this.state.compareAndSet(State.CONNECTING, State.CONNECTED)) {
			notifyClosed();
		}
	}

	private void notifyClosed() {
		notifyAll((listener) -> listener.closed(this, this.reason));
	}

	private void notifyAll(Consumer<RpcConnectionListener> event) {
		for (RpcConnectionListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				logger.error("Connection listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

	@Override
	public Side side() {
		return this.side;
	}

	@Override
	public String protocol() {
		return Protocol.format(Set.of(this.protocol));
	}

	@Override
	public String remote() {
		return this.remote;
	}

	@Override
	public CallerIdentity identity() {
		return this.identity;
	}

	@Override
	public String application() {
		return this.application;
	}

	@Override
	public ConcurrentMap<String, Object> attributes() {
		return this.attributes;
	}

	@Override
	public String toString() {
		return this.application.isEmpty() ? this.remote : this.application + " at " + this.remote;
	}

}
