package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;

/**
 * Publishes {@code LivenessState.BROKEN} when a server or client is broken, so that a
 * platform with a liveness probe restarts the application. A bean post-processor, because
 * a client is created late or never.
 *
 * @since 0.1.0
 */
public final class LivenessPublisher implements BeanPostProcessor {

	private final ApplicationContext context;

	private final AtomicBoolean broken = new AtomicBoolean();

	LivenessPublisher(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof RpcServer server) {
			server.onFailure((why) -> onFailure());
		}
		else if (bean instanceof RpcClient client) {
			client.onFailure((why) -> onFailure());
		}
		return bean;
	}

	/**
	 * Returns true after a failure that only a restart repairs, whatever the application
	 * says of its liveness.
	 * @return false while all servers and clients of the context work
	 */
	public boolean hasFailed() {
		return this.broken.get();
	}

	private void onFailure() {
		if (this.broken.compareAndSet(false, true)) {
			AvailabilityChangeEvent.publish(this.context, LivenessState.BROKEN);
		}
	}

}
