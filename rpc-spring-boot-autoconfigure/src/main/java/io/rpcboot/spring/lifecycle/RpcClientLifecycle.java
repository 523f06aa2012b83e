package io.rpcboot.spring.lifecycle;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.reference.RpcReferenceFactoryBean;
import io.rpcboot.spring.reference.RpcReferenceOverrides;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Connects references at start-up, before servers and runners start. A stop closes
 * nothing: the client is open until Spring destroys it, after all beans that may call.
 *
 * @since 0.1.0
 */
public final class RpcClientLifecycle implements SmartLifecycle {

	static final int PHASE = Integer.MIN_VALUE + 1024;

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile boolean running;

	public RpcClientLifecycle(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void start() {
		this.running = true;
		if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, RpcClient.class, true,
				false).length == 0) {
			return;
		}
		RpcReferenceOverrides overrides = RpcReferenceOverrides.of(this.beanFactory);
		for (String name : this.beanFactory.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
			RpcReferenceFactoryBean<?> reference = this.beanFactory.getBean(name, RpcReferenceFactoryBean.class);
			if (overrides == null || overrides.beanNameFor(reference.type()) == null) {
				reference.connect();
			}
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
