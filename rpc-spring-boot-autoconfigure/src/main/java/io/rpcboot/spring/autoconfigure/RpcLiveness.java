package io.rpcboot.spring.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;

/**
 * Says that the application is broken when a server or client is: a platform that probes
 * liveness restarts it then.
 */
final class RpcLiveness implements SmartInitializingSingleton {

	private final ObjectProvider<RpcServer> servers;

	private final ObjectProvider<RpcClient> clients;

	private final ApplicationContext context;

	private final AtomicBoolean broken = new AtomicBoolean();

	RpcLiveness(ObjectProvider<RpcServer> servers, ObjectProvider<RpcClient> clients, ApplicationContext context) {
		this.servers = servers;
		this.clients = clients;
		this.context = context;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.servers.stream().forEach((server) -> server.onFailure((why) -> onFailure()));
		this.clients.stream().forEach((client) -> client.onFailure((why) -> onFailure()));
	}

	private void onFailure() {
		if (this.broken.compareAndSet(false, true)) {
			AvailabilityChangeEvent.publish(this.context, LivenessState.BROKEN);
		}
	}

}
