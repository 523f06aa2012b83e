package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.client.ClientCall.CalledMethod;
import io.rpcboot.client.ServiceProxy.Ready;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.serialization.OutputBuffer;

/**
 * What a service proxy consists of, and what its calls do beside their path. Stands
 * beside service proxy. Any thread, but for what says otherwise.
 */
abstract class ProxyParts extends Reference implements InvocationHandler {

	final ServiceDirectory directory;

	final Map<Method, CalledMethod> methods = new HashMap<>();

	final LoadBalancer loadBalancer;

	final OutputBuffer.Pool buffers;

	final CallLimit limit;

	/** Permits of the limit. */
	final Semaphore room;

	/** Calls that have a permit beside those. */
	final AtomicInteger inKeptRoom;

	/** Calls that wait for one. */
	final AtomicInteger queued;

	/** Calls that wait for a connection. */
	final AtomicInteger waiting = new AtomicInteger();

	/** Those calls. */
	final ReferenceQueue queue;

	/** Written by the control thread. */
	volatile Ready ready = Ready.NONE;

	ProxyParts(int index, ServiceDirectory directory, List<CalledMethod> methods, LoadBalancer loadBalancer,
			Callbacks where, ClientRuntime client) {
		super(index, client.arrays(), client.callbacks(), client.limit().newShare(), where == Callbacks.EVENT_LOOP,
				client.memory(), client.losses());
		this.directory = directory;
		this.loadBalancer = loadBalancer;
		this.buffers = client.buffers();
		this.limit = client.limit();
		this.room = this.limit.room;
		this.inKeptRoom = this.limit.kept.taken;
		this.queued = this.limit.queued;
		this.queue = new ReferenceQueue(index, this.waiting, client.control(), directory);
		for (CalledMethod method : methods) {
			for (Method declared : directory.declarationsOf(method.descriptor())) {
				this.methods.put(declared, method);
			}
		}
	}

	/** Whether an instance takes calls. */
	final boolean hasReady() {
		return this.ready.connections().length > 0;
	}

	@Override
	final void dispatchAgain(ClientCall call) {
		this.directory.dispatchAgain(call);
	}

	@Override
	final void enqueue(ClientCall call) {
		this.queue.add(call);
	}

	@Override
	final void giveBack(ClientCall call) {
		this.queue.giveBack(call);
	}

	@Override
	final void expire(ClientCall call) {
		this.directory.expire(call);
	}

	/** Answers of a reference with few calls make no room: others would take it. */
	@Override
	final void ended(ClientCall call) {
		if (call.failure != null || (this.limit.isReduced() && !this.share.isSmall())) {
			this.limit.ended(call);
		}
	}

}
