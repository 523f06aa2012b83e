package io.rpcboot.tck;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;

import io.rpcboot.internal.stream.ElementSender;
import io.rpcboot.internal.stream.ElementSink;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.SkipException;

/** Subscriber that sends the elements of publishers, of methods and of arguments. */
public class ElementSenderTests extends FlowSubscriberBlackboxVerification<Object> {

	private static final long TIMEOUT_MILLIS = 1000;

	/** Creates the tests. */
	public ElementSenderTests() {
		super(new TestEnvironment(TIMEOUT_MILLIS));
	}

	@Override
	public Flow.Subscriber<Object> createFlowSubscriber() {
		Sender sender = new Sender();
		sender.send((subscriber) -> {
			// the tests subscribe
		}, new Sink());
		return sender;
	}

	@Override
	public Object createElement(int element) {
		return element;
	}

	/** An element that is null ends the stream with its index instead. */
	@Override
	public void required_spec213_blackbox_onNext_mustThrowNullPointerExceptionWhenParametersAreNull() {
		throw new SkipException("the stream ends with INTERNAL and the index of the element");
	}

	/** Takes all elements. */
	private static final class Sink implements ElementSink {

		@Override
		public boolean next(byte[] element) {
			return true;
		}

		@Override
		public int room() {
			return 1 << 16;
		}

	}

	/** Sends texts. */
	private static final class Sender extends ElementSender {

		@Override
		protected byte[] serialize(Object element) {
			return String.valueOf(element).getBytes(StandardCharsets.UTF_8);
		}

		@Override
		protected void unsendable(RuntimeException why) {
			// the tests look at signals
		}

		@Override
		protected void failed(Throwable failure) {
			// the tests look at signals
		}

		@Override
		protected void completed() {
			// the tests look at signals
		}

		@Override
		protected void execute(Runnable task) {
			task.run();
		}

		@Override
		protected void log(Throwable thrown) {
			throw new AssertionError(thrown);
		}

		@Override
		protected String memoryLimit() {
			return "none";
		}

	}

}
