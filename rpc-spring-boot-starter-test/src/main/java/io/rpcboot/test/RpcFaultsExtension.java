package io.rpcboot.test;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * JUnit extension that resolves parameters of type {@link RpcFaults}, unless Spring does,
 * and ends all faults after each test.
 *
 * @since 0.1.0
 */
public final class RpcFaultsExtension implements ParameterResolver, AfterEachCallback {

	/** Consulted first, because JUnit rejects parameters that two extensions resolve. */
	private final SpringExtension spring = new SpringExtension();

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == RpcFaults.class
				&& !this.spring.supportsParameter(parameter, context);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return faults(context);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		faults(context).reset();
	}

	private static RpcFaults faults(ExtensionContext context) {
		return SpringExtension.getApplicationContext(context).getBean(RpcFaults.class);
	}

}
