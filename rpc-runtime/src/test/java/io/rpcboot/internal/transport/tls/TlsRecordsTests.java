package io.rpcboot.internal.transport.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.rpcboot.Endpoint;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the records that the batches of a write queue become. */
class TlsRecordsTests {

	/** Most bytes of a record, RFC 8446 section 5.1. */
	private static final int LARGEST_RECORD = 16 * 1024;

	private static final int RECORD_HEADER = 5;

	private final TlsOptions options = new Authority().here().withEngine(TlsOptions.Engine.JDK);

	private final RecordedFlushes recorder = new RecordedFlushes();

	private final EmbeddedChannel server = new EmbeddedChannel();

	private EmbeddedChannel client = new EmbeddedChannel();

	private @Nullable WriteQueue queue;

	@BeforeEach
	void shakeHands() {
		ChannelInboundHandlerAdapter last = new ChannelInboundHandlerAdapter();
		this.server.pipeline().addLast("last", last);
		Objects.requireNonNull(TlsContext.server(this.options, true, 1, Runnable::run))
			.accept(this.server, "last", "10.0.0.1", () -> {
			}, (reason) -> {
			});
		SslHandler accepted = this.server.pipeline().get(SslHandler.class);
		this.client = new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				new TlsContext.Target(TlsContext.client(TlsRecordsTests.this.options, TlsContext.NATIVE), "", "")
					.connect(channel, new Endpoint("127.0.0.1", 1));
				TlsRecordsTests.this.queue = Connection
					.install(channel, "test", new FlushPolicy(BatchingOptions.defaults()),
							TlsRecordsTests.this.recorder,
							(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> new RecordingListener()))
					.queue();
			}
		});
		while (!accepted.handshakeFuture().isDone() || !this.client.outboundMessages().isEmpty()) {
			carry(this.client, this.server);
			carry(this.server, this.client);
		}
		assertThat(accepted.handshakeFuture().isSuccess()).isTrue();
	}

	private static void carry(EmbeddedChannel from, EmbeddedChannel to) {
		from.runPendingTasks();
		for (ByteBuf out = from.readOutbound(); out != null; out = from.readOutbound()) {
			to.writeInbound(out);
		}
	}

	@AfterEach
	void close() {
		this.client.finishAndReleaseAll();
		this.server.finishAndReleaseAll();
	}

	private List<ByteBuf> written(int frames, int size) {
		this.recorder.flushes.clear();
		IntStream.rangeClosed(1, frames)
			.forEach((id) -> Objects.requireNonNull(this.queue).enqueue(new TestFrame(id, size)));
		this.client.runPendingTasks();
		List<ByteBuf> written = new ArrayList<>();
		for (ByteBuf out = this.client.readOutbound(); out != null; out = this.client.readOutbound()) {
			written.add(out);
		}
		return written;
	}

	/** Returns the lengths of records, and releases them. */
	private static List<Integer> records(List<ByteBuf> written) {
		List<Integer> records = new ArrayList<>();
		for (ByteBuf each : written) {
			while (each.isReadable()) {
				records.add(each.getUnsignedShort(each.readerIndex() + RECORD_HEADER - 2));
				each.skipBytes(RECORD_HEADER + records.get(records.size() - 1));
			}
			each.release();
		}
		return records;
	}

	@Test
	void smallBatch_isOneRecord() {
		assertThat(records(written(100, 100))).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 100", "30, 4000", "1000, 1000" })
	void batch_isWrittenInFewBuffers_ofLargestRecords(int frames, int size) {
		List<ByteBuf> written = written(frames, size);
		int flushes = this.recorder.flushes.size();
		int most = this.recorder.flushes.stream()
			.mapToInt((flush) -> (flush.bytes() + LARGEST_RECORD - 1) / LARGEST_RECORD)
			.sum();
		assertThat(written).hasSizeLessThanOrEqualTo(2 * flushes);
		assertThat(records(written)).hasSize(most);
	}

	/** Of a body in chunks, with its header in the first one. */
	@ParameterizedTest
	@CsvSource({ "10000, 1", "60000, 4", "200000, 13" })
	void largeBody_isWrittenInFewBuffers_ofLargestRecords(int size, int expected) {
		List<ByteBuf> written = written(1, size);
		assertThat(written).hasSizeLessThanOrEqualTo(2);
		assertThat(records(written)).hasSize(expected);
	}

}
