package io.rpcboot.test.matrix;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.Dispatch;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.RpcServiceCustomizer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** The same service on each kind of thread, and one behind them. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ MatrixApplication.OnPool.class, MatrixApplication.OnVirtual.class, MatrixApplication.OnEventLoop.class,
		MatrixApplication.Last.class, MatrixApplication.Fallback.class, MatrixApplication.Advice.class,
		MatrixApplication.Client.class })
class MatrixApplication {

	static final String LAST = "last";

	static final String NOWHERE = "answer-yourself";

	static final String REFUSE = "refuse";

	/** Who was passed, in the order of the way there. */
	static final List<String> steps = new CopyOnWriteArrayList<>();

	@Bean
	RpcServiceCustomizer dispatchByGroup() {
		return (service, options) -> options.withDispatch(switch (service.id().group()) {
			case "EVENT_LOOP" -> Dispatch.EVENT_LOOP;
			case "VIRTUAL" -> (Runtime.version().feature() >= 21) ? Dispatch.VIRTUAL : Dispatch.POOL;
			default -> Dispatch.POOL;
		});
	}

	@Bean
	@Order(2)
	RpcClientInterceptor secondOfClient() {
		return (call) -> {
			steps.add("client 2");
			return call.proceed();
		};
	}

	@Bean
	@Order(1)
	RpcClientInterceptor firstOfClient() {
		return (call) -> {
			steps.add("client 1");
			return call.proceed();
		};
	}

	@Bean
	@Order(2)
	RpcServerInterceptor aroundImplementation() {
		return (call) -> {
			steps.add("server 2");
			return call.proceed();
		};
	}

	@Bean
	@Order(3)
	RpcServerInterceptor beforeArguments() {
		return new RpcServerInterceptor() {

			@Override
			public @Nullable Object intercept(ServerInvocation call) throws Throwable {
				steps.add("server 1");
				if (call.attachments().get(REFUSE) != null) {
					throw new RpcException(RpcStatus.UNAVAILABLE, "not today", false);
				}
				if (call.attachments().get(NOWHERE) != null) {
					return (call.method().style() == Style.FUTURE) ? CompletableFuture.completedFuture("by itself")
							: (call.method().style() == Style.BLOCKING) ? "by itself" : null;
				}
				return call.proceed();
			}

			@Override
			public Position position() {
				return Position.BEFORE_ARGUMENTS;
			}

		};
	}

	@RpcAdvice
	static class Advice {

		@RpcExceptionHandler
		RpcException missing(IllegalArgumentException ex) {
			return new RpcException(RpcStatus.NOT_FOUND, "nothing of " + ex.getMessage(), true, null, ex,
					Map.of("whose", String.valueOf(ex.getMessage())));
		}

	}

	@RpcService(group = "POOL")
	static class OnPool extends FirstHop {

		OnPool() {
			super(Dispatch.POOL);
		}

	}

	@RpcService(group = "VIRTUAL")
	static class OnVirtual extends FirstHop {

		OnVirtual() {
			super(Dispatch.VIRTUAL);
		}

	}

	@RpcService(group = "EVENT_LOOP")
	static class OnEventLoop extends FirstHop {

		OnEventLoop() {
			super(Dispatch.EVENT_LOOP);
		}

	}

	/** Calls the last one. */
	abstract static class FirstHop extends ProbeService {

		@RpcReference(group = LAST)
		private Probe last;

		FirstHop(Dispatch dispatch) {
			super(dispatch);
		}

		@Override
		Probe next() {
			return this.last;
		}

	}

	@RpcService(group = LAST)
	static class Last extends ProbeService {

		Last() {
			super(Dispatch.POOL);
		}

		@Override
		@Nullable Probe next() {
			return null;
		}

	}

	/** Answers for those who cannot. */
	@Component
	static class Fallback implements Probe {

		@Override
		public String ask(String what, @Nullable RpcContext call) {
			return "instead of " + what;
		}

		@Override
		public CompletableFuture<String> askLater(String what, @Nullable RpcContext call) {
			return CompletableFuture.completedFuture("instead of " + what);
		}

		@Override
		public void tell(String what, @Nullable RpcContext call) {
			ProbeService.told.add("instead of " + what);
		}

	}

	/** The first caller. */
	@Component
	static class Client {

		@RpcReference(group = "POOL")
		private Probe onPool;

		@RpcReference(group = "VIRTUAL")
		private Probe onVirtual;

		@RpcReference(group = "EVENT_LOOP")
		private Probe onEventLoop;

		@RpcReference(group = "POOL", fallback = Fallback.class)
		private Probe onPoolOrNot;

		@RpcReference(group = "VIRTUAL", fallback = Fallback.class)
		private Probe onVirtualOrNot;

		@RpcReference(group = "EVENT_LOOP", fallback = Fallback.class)
		private Probe onEventLoopOrNot;

		Probe probe(Dispatch dispatch) {
			return switch (dispatch) {
				case POOL -> this.onPool;
				case VIRTUAL -> this.onVirtual;
				case EVENT_LOOP -> this.onEventLoop;
			};
		}

		Probe probeWithFallback(Dispatch dispatch) {
			return switch (dispatch) {
				case POOL -> this.onPoolOrNot;
				case VIRTUAL -> this.onVirtualOrNot;
				case EVENT_LOOP -> this.onEventLoopOrNot;
			};
		}

	}

}
