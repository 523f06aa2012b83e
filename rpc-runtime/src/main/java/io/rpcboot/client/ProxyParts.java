package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.client.ServiceProxy.Ready;
import io.rpcboot.internal.concurrent.ThreadStripes;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.serialization.OutputBuffer;

/**
 * What a service proxy consists of, and who may call through it now. Stands beside
 * service proxy. Any thread, but for what says otherwise.
 */
abstract class ProxyParts implements InvocationHandler {

	/** Its number among the references of the client. */
	final int index;

	final ServiceDirectory directory;

	final Map<Method, ProxyMethod> methods = new HashMap<>();

	final LoadBalancer loadBalancer;

	final OutputBuffer.Pool buffers;

	/** Arrays that a blocking caller uses for one call after the other. */
	final ThreadStripes<byte[]> arrays;

	final WorkerPool callbacks;

	final CallLimit limit;

	/** Permits of the limit. */
	final Semaphore room;

	/** Calls that wait for one. */
	final AtomicInteger queued;

	final ClientMemory memory;

	/** Arguments up to this size, in bytes, enter no memory. */
	final int freeBytes;

	/** Whether futures are completed where their reply is read. */
	final boolean completesOnLoop;

	final OneWayLosses losses;

	/** Calls that wait for a connection. */
	final AtomicInteger waiting = new AtomicInteger();

	/** Those calls. */
	final ReferenceQueue queue;

	/** Written by the control thread. */
	volatile Ready ready = Ready.NONE;

	ProxyParts(int index, ServiceDirectory directory, List<ProxyMethod> methods, LoadBalancer loadBalancer,
			Callbacks where, ClientRuntime client) {
		this.index = index;
		this.directory = directory;
		this.loadBalancer = loadBalancer;
		this.buffers = client.buffers();
		this.arrays = client.arrays();
		this.callbacks = client.callbacks();
		this.completesOnLoop = where == Callbacks.EVENT_LOOP;
		this.limit = client.limit();
		this.room = this.limit.room;
		this.queued = this.limit.queued;
		this.memory = client.memory();
		this.freeBytes = client.memory().freeBytes();
		this.losses = client.losses();
		this.queue = new ReferenceQueue(self(), this.waiting, client.control());
		for (ProxyMethod method : methods) {
			for (Method declared : directory.declarationsOf(method.descriptor())) {
				this.methods.put(declared, method);
			}
		}
	}

	abstract ServiceProxy self();

	/** Whether an instance takes calls. */
	final boolean hasReady() {
		return this.ready.connections().length > 0;
	}

}
