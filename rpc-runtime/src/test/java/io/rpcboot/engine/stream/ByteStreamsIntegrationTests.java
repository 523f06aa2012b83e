package io.rpcboot.engine.stream;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Methods that return or take an {@code InputStream}. */
@Timeout(60)
public class ByteStreamsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final int PART = 60 * 1024;

	/** Window of a stream of HTTP/2 where nothing else is said. */
	private static final int DEFAULT_WINDOW = 65_535;

	private final LeakWatch leaks = new LeakWatch();

	private final FilesImpl files = new FilesImpl();

	private RpcServer server;

	private RpcClient client;

	private Files remote;

	/** Files of any size. */
	public interface Files {

		InputStream download(int length);

		InputStream broken(int length);

		CompletableFuture<Long> upload(String name, InputStream content);

		/** Reads a part. */
		int first(InputStream content) throws IOException;

	}

	/** Stream that counts that it is closed. */
	private static class Watched extends FilterInputStream {

		private final AtomicInteger closed;

		Watched(InputStream in, AtomicInteger closed) {
			super(in);
			this.closed = closed;
		}

		@Override
		public void close() throws IOException {
			this.closed.incrementAndGet();
			super.close();
		}

	}

	private static final class FilesImpl implements Files {

		private final AtomicInteger closed = new AtomicInteger();

		@Override
		public InputStream download(int length) {
			return new Watched(new ByteArrayInputStream(bytes(length)), this.closed);
		}

		@Override
		public InputStream broken(int length) {
			return new Watched(new ByteArrayInputStream(bytes(length)), this.closed) {

				@Override
				public int read(byte[] target) throws IOException {
					int count = super.read(target);
					if (count < 0) {
						throw new IOException("broken disk");
					}
					return count;
				}

			};
		}

		@Override
		public CompletableFuture<Long> upload(String name, InputStream content) {
			try {
				return CompletableFuture.completedFuture(sum(content));
			}
			catch (IOException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		@Override
		public int first(InputStream content) throws IOException {
			return content.read();
		}

	}

	private static byte[] bytes(int length) {
		byte[] all = new byte[length];
		new Random(length).nextBytes(all);
		return all;
	}

	private static long sum(InputStream content) throws IOException {
		CRC32 sum = new CRC32();
		byte[] buffer = new byte[10_000];
		for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
			sum.update(buffer, 0, count);
		}
		return sum.getValue();
	}

	/** Returns how clients find a server. */
	protected ReferenceOptions at(RpcServer called) {
		return ReferenceStates.at(called);
	}

	@BeforeEach
	void start() {
		this.server = RpcServer.builder().port(0).service(Files.class, this.files).start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Files.class, at(this.server));
	}

	@AfterEach
	void stop() {
		assertThat(Eventually.within(LONG, () -> this.server.inFlightCalls() == 0)).as("calls in flight").isTrue();
		assertThat(Eventually.within(LONG, () -> this.client.pendingCalls() == 0)).as("pending calls").isTrue();
		this.client.close();
		this.server.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	@Test
	void bytes_arriveAsTheyAre_inBothDirections() throws Exception {
		for (int length : new int[] { 0, 1, PART, PART + 1, 100_000, 30_000_000 }) {
			long expected = sum(new ByteArrayInputStream(bytes(length)));
			try (InputStream content = this.remote.download(length)) {
				assertThat(sum(content)).isEqualTo(expected);
				assertThat(content.read()).isEqualTo(-1);
			}
			assertThat(this.remote.upload("file", new ByteArrayInputStream(bytes(length))).join()).isEqualTo(expected);
		}
		assertThat(Eventually.within(LONG, () -> this.files.closed.get() == 6)).isTrue();
	}

	@Test
	void partOfDownload_isAsLongAsFitsIntoWindow() throws Exception {
		try (InputStream content = this.remote.download(200_000)) {
			content.read();
			assertThat(content.available() + 1).isEqualTo(PART).isBetween(DEFAULT_WINDOW * 9 / 10, DEFAULT_WINDOW);
		}
		assertThat(Eventually.within(LONG, () -> this.files.closed.get() == 1)).isTrue();
	}

	@Test
	void parts_areShorter_whereMessagesAre() throws Exception {
		int most = 20_000;
		long expected = sum(new ByteArrayInputStream(bytes(200_000)));
		try (RpcServer small = RpcServer.builder().port(0).maxFrameSize(most).service(Files.class, this.files).start();
				RpcClient caller = RpcClient.builder().maxFrameSize(most).build()) {
			Files narrow = caller.reference(Files.class, ReferenceStates.at(small));
			try (InputStream content = narrow.download(200_000)) {
				assertThat(sum(content)).isEqualTo(expected);
			}
			assertThat(narrow.upload("file", new ByteArrayInputStream(bytes(200_000))).join()).isEqualTo(expected);
		}
		assertThat(Eventually.within(LONG, () -> this.files.closed.get() == 1)).isTrue();
	}

	@Test
	void closedDownload_closesSource() throws Exception {
		InputStream content = this.remote.download(30_000_000);
		assertThat(content.readNBytes(100_000)).hasSize(100_000);
		content.close();
		assertThat(Eventually.within(LONG, () -> this.files.closed.get() == 1)).isTrue();
		assertThatExceptionOfType(IOException.class).isThrownBy(content::read).withMessage("the stream is closed");
	}

	@Test
	void uploadThatIsNotRead_isClosed() throws Exception {
		AtomicInteger closed = new AtomicInteger();
		byte[] content = bytes(30_000_000);
		assertThat(this.remote.first(new Watched(new ByteArrayInputStream(content), closed)))
			.isEqualTo(content[0] & 0xff);
		assertThat(Eventually.within(LONG, () -> closed.get() == 1)).isTrue();
	}

	@Test
	void failure_isThrownBehindBytes() throws Exception {
		try (InputStream content = this.remote.broken(100_000)) {
			assertThat(content.readNBytes(100_000)).isEqualTo(bytes(100_000));
			assertThatExceptionOfType(IOException.class).isThrownBy(content::read)
				.withMessageContaining("APPLICATION")
				.withCauseInstanceOf(RpcException.class);
		}
		assertThat(Eventually.within(LONG, () -> this.files.closed.get() == 1)).isTrue();
	}

}
