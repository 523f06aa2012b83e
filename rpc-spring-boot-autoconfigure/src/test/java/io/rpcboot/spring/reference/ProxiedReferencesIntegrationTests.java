package io.rpcboot.spring.reference;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.aop.ObservedAspect;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** References with what Spring puts around them: aspects, annotations, scopes. */
@Tag("jdk25")
class ProxiedReferencesIntegrationTests {

	private static final ApplicationContextRunner CLIENT = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class))
		.withBean(Advice.class);

	private final CatalogService service = new CatalogService();

	/**
	 * Outside of the context, because annotations of the interface apply to its beans.
	 */
	private final RpcServer server = RpcServer.builder().port(0).service(Catalog.class, this.service).start();

	private final ApplicationContextRunner runner = CLIENT
		.withPropertyValues("rpc.client.timeout=30s", "rpc.client.wait-for-instance=30s",
				"rpc.client.services.Catalog.addresses=127.0.0.1:" + this.server.port())
		.withBean(User.class);

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	static Stream<Arguments> advice() {
		return Stream.of(argumentSet("aspect on the interface", Aspects.class, ByInterface.class),
				argumentSet("aspect on the interface, JDK proxies", JdkAspects.class, ByInterface.class),
				argumentSet("aspect on @RpcMethod", Aspects.class, ByRpcMethod.class),
				argumentSet("aspect on bean names", Aspects.class, ByBeanName.class),
				argumentSet("two aspects", Aspects.class, TwoAspects.class),
				argumentSet("proxies by bean name", NoAspects.class, AutoProxyByName.class),
				argumentSet("proxies by advisors", NoAspects.class, AutoProxyByAdvisor.class));
	}

	@ParameterizedTest
	@MethodSource("advice")
	void advice_appliesToReference(Class<?> configuration, Class<?> advice) {
		this.runner.withUserConfiguration(configuration, advice).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			assertThat(AopUtils.isAopProxy(catalog)).isTrue();
			assertThat(catalog.marked("a")).isEqualTo("a");
			assertThat(context.getBean(Advice.class).calls).hasValueGreaterThan(0);
			assertReferenceIsSeen(context, catalog);
		});
	}

	private static void assertReferenceIsSeen(AssertableApplicationContext context, Catalog catalog) throws Exception {
		int advised = context.getBean(Advice.class).calls.get();
		assertThat(Broadcast.to(catalog).call((each) -> each.marked("b")).values()).containsExactly("b");
		assertThat(context.getBean(Advice.class).calls).hasValue(advised);
		assertThat(context.getBean(RpcClient.class).references()).singleElement().matches(ReferenceInfo::isReady);
		assertThat(new RpcReferences(context.getBeanFactory()).made(Catalog.class.getName())).hasSize(1);
		assertThat(CallOptions.with("tenant", "t1").call(() -> catalog.tenant())).isEqualTo("t1");
	}

	@Test
	void retryable_repeatsFailedCalls() {
		this.runner.withUserConfiguration(Resilient.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			assertThat(catalog.repeated("a")).isEqualTo("a after 2 failures");
			this.service.calls.set(0);
			assertThat(catalog.flaky("a")).isEqualTo("a after 2 failures");
			assertReferenceIsSeen(context, context.getBean(User.class).catalog);
		});
	}

	@Test
	void concurrencyLimit_limitsCalls() {
		this.runner.withUserConfiguration(Resilient.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			List<CompletableFuture<Void>> calls = Stream.generate(() -> CompletableFuture.runAsync(catalog::limited))
				.limit(4)
				.toList();
			calls.forEach(CompletableFuture::join);
			assertThat(this.service.most).hasValue(1);
		});
	}

	@Test
	void cacheable_keepsResults() {
		this.runner.withUserConfiguration(Caching.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			assertThat(catalog.cached("a")).isEqualTo("a 1");
			assertThat(catalog.cached("a")).isEqualTo("a 1");
			assertThat(catalog.cached("b")).isEqualTo("b 2");
			assertReferenceIsSeen(context, catalog);
		});
	}

	@Test
	void async_callsOnOtherThread() {
		this.runner.withUserConfiguration(Asynchronous.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			assertThat(catalog.later("a").join()).isEqualTo("a");
			assertReferenceIsSeen(context, catalog);
		});
	}

	@Test
	void timed_countsCalls() {
		this.runner.withUserConfiguration(Aspects.class, Measuring.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			catalog.timed("a");
			assertThat(context.getBean(SimpleMeterRegistry.class).get("catalog.timed").timer().count()).isEqualTo(1);
			assertReferenceIsSeen(context, catalog);
		});
	}

	@Test
	void observed_observesCalls() {
		this.runner.withUserConfiguration(Aspects.class, Observing.class).run((context) -> {
			Catalog catalog = context.getBean(User.class).catalog;
			catalog.observed("a");
			assertThat(context.getBean(Observing.class).names).contains("catalog.observed");
			assertReferenceIsSeen(context, catalog);
		});
	}

	static Stream<Arguments> otherUsers() {
		return Stream.of(argumentSet("lazy", LazyUser.class, access(LazyUser.class, (user) -> user.catalog)),
				argumentSet("provider", ProviderUser.class,
						access(ProviderUser.class, (user) -> user.catalog.getObject())),
				argumentSet("scoped bean", ScopedUser.class, access(ScopedUser.class, ScopedUser::catalog)));
	}

	private static <T> Function<Object, Catalog> access(Class<T> type, Function<T, Catalog> catalog) {
		return (bean) -> catalog.apply(type.cast(bean));
	}

	@ParameterizedTest
	@MethodSource("otherUsers")
	void advice_appliesToReference_ofOtherUsers(Class<?> user, Function<Object, Catalog> catalog) {
		this.runner.withUserConfiguration(Aspects.class, ByInterface.class, ThreadScope.class, user).run((context) -> {
			Catalog found = catalog.apply(context.getBean(user));
			assertThat(found.marked("a")).isEqualTo("a");
			assertThat(context.getBean(Advice.class).calls).hasValueGreaterThan(0);
			assertReferenceIsSeen(context, found);
		});
	}

	@Test
	void ownProxyOfSpring_isSeenThrough() {
		this.runner.run((context) -> {
			ProxyFactory factory = new ProxyFactory(context.getBean(User.class).catalog);
			factory.addAdvice(context.getBean(Advice.class));
			assertReferenceIsSeen(context, (Catalog) factory.getProxy());
		});
	}

	@Test
	void opaqueProxy_isRefusedWithReason() {
		this.runner.run((context) -> {
			ProxyFactory factory = new ProxyFactory(context.getBean(User.class).catalog);
			factory.setOpaque(true);
			assertThatIllegalArgumentException().isThrownBy(() -> Broadcast.to((Catalog) factory.getProxy()))
				.withMessageContaining("a proxy of Spring around it that is not opaque");
		});
	}

	@Test
	void fallback_isFound_behindJdkProxy() {
		fallback((context) -> assertThat(context.getBean(FallbackUser.class).catalog.marked("a")).isEqualTo("spare a"),
				JdkAspects.class);
	}

	@Test
	void fallback_isFound_behindClassProxy() {
		fallback((context) -> assertThat(context.getBean(FallbackUser.class).catalog.marked("a")).isEqualTo("spare a"),
				Aspects.class);
	}

	private static void fallback(ContextConsumer<AssertableApplicationContext> check, Class<?> aspects) {
		CLIENT.withPropertyValues("rpc.client.wait-for-instance=0s")
			.withBean(SpareCatalog.class)
			.withBean(FallbackUser.class)
			.withUserConfiguration(aspects, ByInterface.class)
			.run(check);
	}

	static class SpareCatalog extends CatalogService {

		@Override
		public String marked(String id) {
			return "spare " + id;
		}

	}

	static class User {

		@RpcReference
		private Catalog catalog;

	}

	static class FallbackUser {

		@RpcReference(fallback = SpareCatalog.class)
		private Catalog catalog;

	}

	static class LazyUser {

		@Lazy
		@RpcReference
		private Catalog catalog;

	}

	static class ProviderUser {

		@RpcReference
		private ObjectProvider<Catalog> catalog;

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class ScopedUser {

		@RpcReference
		private Catalog catalog;

		Catalog catalog() {
			return this.catalog;
		}

	}

	/** Counts calls of references, not those of the service. */
	static class Advice implements MethodInterceptor {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public Object invoke(MethodInvocation invocation) throws Throwable {
			count(invocation.getThis());
			return invocation.proceed();
		}

		Object around(ProceedingJoinPoint call) throws Throwable {
			count(call.getTarget());
			return call.proceed();
		}

		private void count(Object target) {
			if (!(target instanceof CatalogService)) {
				this.calls.incrementAndGet();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoAspects {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy(proxyTargetClass = true)
	static class Aspects {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy
	static class JdkAspects {

	}

	@Aspect
	static class ByInterface {

		private final Advice advice;

		ByInterface(Advice advice) {
			this.advice = advice;
		}

		@Around("execution(* io.rpcboot.spring.reference.Catalog.marked(..))")
		Object around(ProceedingJoinPoint call) throws Throwable {
			return this.advice.around(call);
		}

	}

	@Aspect
	static class ByRpcMethod {

		private final Advice advice;

		ByRpcMethod(Advice advice) {
			this.advice = advice;
		}

		@Around("@annotation(io.rpcboot.RpcMethod)")
		Object around(ProceedingJoinPoint call) throws Throwable {
			return this.advice.around(call);
		}

	}

	@Aspect
	static class ByBeanName {

		private final Advice advice;

		ByBeanName(Advice advice) {
			this.advice = advice;
		}

		@Around("bean(rpcReference:*)")
		Object around(ProceedingJoinPoint call) throws Throwable {
			return this.advice.around(call);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ ByInterface.class, ByRpcMethod.class })
	static class TwoAspects {

	}

	@Configuration(proxyBeanMethods = false)
	static class AutoProxyByName {

		@Bean
		static BeanNameAutoProxyCreator references() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("rpcReference:*");
			creator.setInterceptorNames("proxiedReferencesIntegrationTests.Advice");
			return creator;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AutoProxyByAdvisor {

		@Bean
		static DefaultAdvisorAutoProxyCreator creator() {
			return new DefaultAdvisorAutoProxyCreator();
		}

		@Bean
		static NameMatchMethodPointcutAdvisor advisor(Advice advice) {
			NameMatchMethodPointcutAdvisor advisor = new NameMatchMethodPointcutAdvisor(advice);
			advisor.setMappedName("marked");
			return advisor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Resilient {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

	}

	@Configuration(proxyBeanMethods = false)
	static class Measuring {

		@Bean
		SimpleMeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		TimedAspect timedAspect(SimpleMeterRegistry meters) {
			return new TimedAspect(meters);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Observing {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@Bean
		ObservedAspect observedAspect() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig()
				.observationHandler((context) -> this.names.add(String.valueOf(context.getName())));
			return new ObservedAspect(registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ThreadScope {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

	}

}
