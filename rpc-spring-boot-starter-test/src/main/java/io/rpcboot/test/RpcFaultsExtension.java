package io.rpcboot.test;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Gives {@link RpcFaults} to tests that have such a parameter, unless Spring injects it,
 * and ends all faults after each test.
 */
public final class RpcFaultsExtension implements ParameterResolver, AfterEachCallback {

	/** JUnit refuses parameters that two extensions resolve. */
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
