package io.rpcboot.test;

import java.util.Set;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * JUnit extension that resolves parameters of the types {@link RpcFaults} and
 * {@link RpcCaller}, unless Spring does. After each test it ends all faults, and calls
 * come from a stranger again.
 *
 * @since 0.1.0
 */
public final class RpcInProcessExtension implements ParameterResolver, AfterEachCallback {

	private static final Set<Class<?>> TYPES = Set.of(RpcFaults.class, RpcCaller.class);

	/** Consulted first, because JUnit rejects parameters that two extensions resolve. */
	private final SpringExtension spring = new SpringExtension();

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return TYPES.contains(parameter.getParameter().getType()) && !this.spring.supportsParameter(parameter, context);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return SpringExtension.getApplicationContext(context).getBean(parameter.getParameter().getType());
	}

	@Override
	public void afterEach(ExtensionContext context) {
		ApplicationContext beans = SpringExtension.getApplicationContext(context);
		beans.getBean(RpcFaults.class).reset();
		beans.getBean(RpcCaller.class).reset();
	}

}
