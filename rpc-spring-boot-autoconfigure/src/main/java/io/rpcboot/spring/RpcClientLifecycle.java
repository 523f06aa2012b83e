package io.rpcboot.spring;

import java.util.Set;

import io.rpcboot.client.RpcClient;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Connects the references at start-up, before servers and runners start, and closes the
 * client when everything else has stopped, for handlers may call out to their end.
 */
final class RpcClientLifecycle implements SmartLifecycle {

	static final int PHASE = Integer.MIN_VALUE + 1024;

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile boolean running;

	RpcClientLifecycle(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void start() {
		this.running = true;
		Set<Class<?>> overridden = RpcReferenceOverrides.of(this.beanFactory).types();
		for (String name : this.beanFactory.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
			RpcReferenceFactoryBean<?> reference = this.beanFactory.getBean(name, RpcReferenceFactoryBean.class);
			if (!overridden.contains(reference.type())) {
				reference.connect();
			}
		}
	}

	@Override
	public void stop() {
		this.running = false;
		RpcClients.inUse(this.beanFactory).forEach(RpcClient::close);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	// a client that was closed cannot be opened again
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
