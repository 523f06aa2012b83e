package io.rpcboot.tck;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import io.rpcboot.RpcContract;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.Assert;
import org.testng.ITestContext;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** Streams that a reference returns, of a server in this process. */
public class FeedPublisherTests extends FlowPublisherVerification<Integer> {

	private static final long TIMEOUT_MILLIS = 3000;

	private static final long QUIET_MILLIS = 100;

	/** Tests of the TCK for a publisher and a subscriber. */
	private static final int TESTS = 64;

	private RpcServer server;

	private RpcClient client;

	private Feed feed;

	private Feed gone;

	/** Service with a stream, as its client sees it. */
	@RpcContract(name = "tck.Feed")
	public interface Feed {

		/** Returns numbers from 0 on; endless for a negative count. */
		Flow.Publisher<Integer> numbers(long count);

	}

	/** The same service as the server has it. */
	@RpcContract(name = "tck.Feed")
	public interface Source {

		/** Returns numbers from 0 on; endless for a negative count. */
		Stream<Integer> numbers(long count);

	}

	/** Creates the tests. */
	public FeedPublisherTests() {
		super(new TestEnvironment(TIMEOUT_MILLIS, QUIET_MILLIS));
	}

	/** Starts a server and its client. */
	@BeforeClass
	public void start() {
		this.server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Source.class,
					(count) -> Stream.iterate(0, (number) -> number + 1).limit((count < 0) ? Long.MAX_VALUE : count))
			.start();
		this.client = RpcClient.builder().protocol(Protocol.GRPC).build();
		this.feed = reference("127.0.0.1:" + this.server.port());
		this.gone = reference("127.0.0.1:1");
	}

	private Feed reference(String address) {
		return this.client.reference(Feed.class,
				ReferenceOptions.defaults().withAddresses(List.of(address)).withWaitForInstance(Duration.ZERO));
	}

	/** Stops them. Others than those of both classes would be left out without a word. */
	@AfterClass(alwaysRun = true)
	public void stop(ITestContext context) {
		this.client.close();
		this.server.close();
		Assert.assertEquals(context.getAllTestMethods().length, TESTS);
	}

	@Override
	public Flow.Publisher<Integer> createFlowPublisher(long elements) {
		return this.feed.numbers((elements > Integer.MAX_VALUE) ? -1 : elements);
	}

	@Override
	public Flow.Publisher<Integer> createFailedFlowPublisher() {
		return this.gone.numbers(1);
	}

}
