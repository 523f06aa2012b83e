package io.rpcboot.benchmarks.sofarpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import com.alipay.sofa.rpc.common.RpcConstants;
import com.alipay.sofa.rpc.config.ApplicationConfig;
import com.alipay.sofa.rpc.config.ConsumerConfig;
import com.alipay.sofa.rpc.context.RpcInvokeContext;
import com.alipay.sofa.rpc.core.exception.SofaRpcException;
import com.alipay.sofa.rpc.core.invoke.SofaResponseCallback;
import com.alipay.sofa.rpc.core.request.RequestBase;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * Two references to the same server, one that waits and one that calls back; the second
 * takes its callback from the context of the calling thread.
 */
final class SofaRpcClient implements BenchService, BenchClient {

	private static final int TIMEOUT_MILLIS = 30_000;

	/** With more calls in flight some of their answers never come. */
	private static final int MAX_IN_FLIGHT = 256;

	private final Semaphore window = new Semaphore(MAX_IN_FLIGHT);

	private final ConsumerConfig<BenchService> blockingConfig;

	private final ConsumerConfig<BenchService> asyncConfig;

	private final BenchService blocking;

	private final BenchService async;

	SofaRpcClient(int port) {
		this.blockingConfig = config(port, RpcConstants.INVOKER_TYPE_SYNC);
		this.asyncConfig = config(port, RpcConstants.INVOKER_TYPE_CALLBACK);
		this.blocking = this.blockingConfig.refer();
		this.async = this.asyncConfig.refer();
	}

	private static ConsumerConfig<BenchService> config(int port, String invokeType) {
		return new ConsumerConfig<BenchService>().setApplication(new ApplicationConfig().setAppName("bench-client"))
			.setInterfaceId(BenchService.class.getName())
			.setProtocol("bolt")
			.setDirectUrl("bolt://127.0.0.1:" + port)
			.setRegister(false)
			.setTimeout(TIMEOUT_MILLIS)
			.setConnectionNum(1)
			.setInvokeType(invokeType);
	}

	@Override
	public BenchService service() {
		return this;
	}

	@Override
	public byte[] echo(byte[] body) {
		return this.blocking.echo(body);
	}

	@Override
	public boolean existUser(String email) {
		return this.blocking.existUser(email);
	}

	@Override
	public boolean createUser(User user) {
		return this.blocking.createUser(user);
	}

	@Override
	public User getUser(long id) {
		return this.blocking.getUser(id);
	}

	@Override
	public Page<User> listUser(int pageNo) {
		return this.blocking.listUser(pageNo);
	}

	@Override
	public int sleep(int millis) {
		return this.blocking.sleep(millis);
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		return future((service) -> service.echo(body));
	}

	@Override
	public CompletableFuture<Boolean> existUserAsync(String email) {
		return future((service) -> service.existUser(email));
	}

	@Override
	public CompletableFuture<Boolean> createUserAsync(User user) {
		return future((service) -> service.createUser(user));
	}

	@Override
	public CompletableFuture<User> getUserAsync(long id) {
		return future((service) -> service.getUser(id));
	}

	@Override
	public CompletableFuture<Page<User>> listUserAsync(int pageNo) {
		return future((service) -> service.listUser(pageNo));
	}

	@Override
	public CompletableFuture<Integer> sleepAsync(int millis) {
		return future((service) -> service.sleep(millis));
	}

	private <T> CompletableFuture<T> future(Consumer<BenchService> call) {
		Reply<T> reply = new Reply<>();
		this.window.acquireUninterruptibly();
		reply.future.whenComplete((answer, failure) -> this.window.release());
		RpcInvokeContext.getContext().setResponseCallback(reply);
		call.accept(this.async);
		return reply.future;
	}

	@Override
	public void close() {
		this.blockingConfig.unRefer();
		this.asyncConfig.unRefer();
	}

	private static final class Reply<T> implements SofaResponseCallback<T> {

		private final CompletableFuture<T> future = new CompletableFuture<>();

		@Override
		@SuppressWarnings("unchecked")
		public void onAppResponse(Object response, String method, RequestBase request) {
			this.future.complete((T) response);
		}

		@Override
		public void onAppException(Throwable cause, String method, RequestBase request) {
			this.future.completeExceptionally(cause);
		}

		@Override
		public void onSofaException(SofaRpcException cause, String method, RequestBase request) {
			this.future.completeExceptionally(cause);
		}

	}

}
