package io.rpcboot.spring.test;

import java.time.Duration;

import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.spring.lifecycle.RpcClients;
import io.rpcboot.spring.reference.ReferenceInjector;
import io.rpcboot.spring.reference.RpcReferences;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.aot.AotTestContextInitializers;
import org.springframework.test.context.support.AbstractTestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;

/**
 * Prepares references for a test. With a registry in the process, waits until they are
 * connected. Injects references into test classes that are processed ahead of time:
 * Spring uses none of the context's post-processors there, only its own for
 * {@code @Autowired}.
 */
final class ReferenceTestExecutionListener extends AbstractTestExecutionListener {

	/** Ends earlier, unless a server of the test does not answer. */
	private static final Duration MOST = Duration.ofSeconds(30);

	private static final String PREPARED = ReferenceTestExecutionListener.class.getName() + ".prepared";

	private final AotTestContextInitializers aot = new AotTestContextInitializers();

	/**
	 * Before the injection by Spring, which ends with the callbacks of the test object.
	 */
	@Override
	public int getOrder() {
		return 1990;
	}

	@Override
	public void prepareTestInstance(TestContext test) {
		ApplicationContext context = test.getApplicationContext();
		if (context instanceof ConfigurableApplicationContext configurable && test.getAttribute(PREPARED) != context) {
			test.setAttribute(PREPARED, context);
			connect(test.getTestClass(), configurable.getBeanFactory());
		}
		inject(test);
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		if (Boolean.TRUE
			.equals(test.getAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE))) {
			inject(test);
		}
	}

	private static void connect(Class<?> testClass, ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.getBeanProvider(Registry.class).getIfUnique() instanceof InMemoryRegistry) {
			new RpcReferences(beanFactory).connect(testClass);
			new RpcClients(beanFactory).inUse().forEach((client) -> client.awaitConnected(MOST));
		}
	}

	private void inject(TestContext test) {
		if (this.aot.isSupportedTestClass(test.getTestClass())) {
			test.getApplicationContext()
				.getBeanProvider(ReferenceInjector.class)
				.ifAvailable((injector) -> injector.processInjection(test.getTestInstance()));
		}
	}

}
