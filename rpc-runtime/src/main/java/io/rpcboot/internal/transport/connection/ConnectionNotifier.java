package io.rpcboot.internal.transport.connection;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.rpcboot.Side;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.transport.RpcConnectionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection and those who are told of it: in their order, {@code closed} after
 * {@code connected}, never on an event loop.
 */
public final class ConnectionNotifier implements RpcConnection {

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	private final List<RpcConnectionListener> listeners;

	private final Executor executor;

	private final Side side;

	private final String remote;

	private final String application;

	private final ConcurrentMap<String, Object> attributes = new ConcurrentHashMap<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.TELLING);

	private volatile String reason = "";

	private ConnectionNotifier(List<RpcConnectionListener> listeners, Executor executor, Side side, String remote,
			String application) {
		this.listeners = listeners;
		this.executor = executor;
		this.side = side;
		this.remote = remote;
		this.application = application;
	}

	private enum State {

		/** That it is connected is being told, or about to be. */
		TELLING,

		/** That it is connected was told. */
		TOLD,

		/** It was closed before that was told. */
		CLOSED

	}

	/**
	 * Tell that a connection is established.
	 * @param listeners those to be told, in this order
	 * @param executor where to tell it
	 * @param side this side
	 * @param remote address and port of the other side
	 * @param application name that the other side gave itself
	 * @return the connection
	 */
	public static ConnectionNotifier connected(List<RpcConnectionListener> listeners, Executor executor, Side side,
			String remote, String application) {
		ConnectionNotifier connection = new ConnectionNotifier(List.copyOf(listeners), executor, side, remote,
				application);
		connection.execute(connection::tellConnected);
		return connection;
	}

	/**
	 * Tell that it has ended. To be called once.
	 * @param why for people
	 */
	public void closed(String why) {
		this.reason = why;
		if (!this.state.compareAndSet(State.TELLING, State.CLOSED)) {
			execute(this::tellClosed);
		}
	}

	/** A closed pool runs what it is given where it is given. */
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

	private void tellConnected() {
		tell((listener) -> listener.connected(this));
		if (!this.state.compareAndSet(State.TELLING, State.TOLD)) {
			tellClosed();
		}
	}

	private void tellClosed() {
		tell((listener) -> listener.closed(this, this.reason));
	}

	private void tell(Consumer<RpcConnectionListener> what) {
		for (RpcConnectionListener listener : this.listeners) {
			try {
				what.accept(listener);
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
	public String remote() {
		return this.remote;
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
