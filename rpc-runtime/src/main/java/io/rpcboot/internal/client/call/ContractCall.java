package io.rpcboot.internal.client.call;

import java.util.Arrays;
import java.util.function.BiConsumer;

import io.rpcboot.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Call that asks a server for its contract, because the server has refused another call.
 * Has no arguments, takes no permit and is recorded nowhere.
 */
public final class ContractCall extends ClientCall {

	private final BiConsumer<byte @Nullable [], @Nullable RpcException> end;

	/**
	 * Creates a call.
	 * @param refused the refused call, whose time it may take
	 * @param end gets the reply or the failure, once, on the thread that ends the call
	 */
	public ContractCall(ClientCall refused, BiConsumer<byte @Nullable [], @Nullable RpcException> end) {
		super(refused.reference, refused.method, System.nanoTime());
		this.end = end;
		this.recorded = true;
		markAdmitted();
	}

	@Override
	public boolean isAsynchronous() {
		return true;
	}

	@Override
	protected boolean mayRetry() {
		return false;
	}

	@Override
	public void completed() {
		super.completed();
		CallTransport from = this.connection;
		if (this.failure != null) {
			this.end.accept(null, this.failure);
			return;
		}
		byte[] reply = Arrays.copyOf(this.body, this.length);
		if (from != null) {
			from.consumed(this.length);
		}
		this.end.accept(reply, null);
	}

}
