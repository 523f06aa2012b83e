package io.rpcboot.spring.serialization;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import io.netty.buffer.PooledByteBufAllocator;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams of buffers of Spring, whose pooled ones have to be released. */
@Timeout(60)
class DataBufferStreamsIntegrationTests {

	private static final NettyDataBufferFactory factory = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);

	/** Buffers that were made. */
	private static final Queue<NettyDataBuffer> made = new ConcurrentLinkedQueue<>();

	/** Service with buffers. */
	public interface Files {

		Flux<DataBuffer> download(int parts, int length);

		CompletableFuture<Long> upload(String name, Flux<DataBuffer> parts);

		Flux<DataBuffer> echo(Flux<DataBuffer> parts);

	}

	@RpcService
	static class FilesService implements Files {

		@Override
		public Flux<DataBuffer> download(int parts, int length) {
			return buffers(parts, length);
		}

		@Override
		public CompletableFuture<Long> upload(String name, Flux<DataBuffer> parts) {
			return parts.map(DataBuffer::readableByteCount).reduce(0L, Long::sum).toFuture();
		}

		@Override
		public Flux<DataBuffer> echo(Flux<DataBuffer> parts) {
			return parts;
		}

	}

	static class Caller {

		@RpcReference
		Files files;

	}

	private static Flux<DataBuffer> buffers(int parts, int length) {
		return Flux.range(0, parts).map((number) -> {
			NettyDataBuffer buffer = factory.allocateBuffer(Math.max(1, length));
			made.add(buffer);
			byte[] bytes = new byte[length];
			Arrays.fill(bytes, (byte) (int) number);
			return buffer.write(bytes);
		});
	}

	private static void run(Consumer<Files> test) {
		Applications.inProcess()
			.withUserConfiguration(FilesService.class, Caller.class)
			.run((context) -> test.accept(context.getBean(Caller.class).files));
	}

	@AfterEach
	void allAreReleased() {
		Applications.eventually(() -> made.stream().allMatch((buffer) -> buffer.getNativeBuffer().refCnt() == 0));
		assertThat(made).isNotEmpty();
		made.clear();
	}

	@Test
	void bytes_arrive_inBothDirections() {
		run((files) -> {
			for (int length : new int[] { 0, 1, 60_000, 500_000 }) {
				List<DataBuffer> parts = files.download(20, length).collectList().block();
				assertThat(parts).hasSize(20).allSatisfy((part) -> {
					assertThat(part).isInstanceOf(DefaultDataBuffer.class);
					assertThat(part.readableByteCount()).isEqualTo(length);
				});
				if (length > 0) {
					assertThat(parts.get(7).getByte(length - 1)).isEqualTo((byte) 7);
				}
				assertThat(files.upload("a", buffers(20, length)).join()).isEqualTo(20L * length);
				assertThat(files.echo(buffers(20, length)).count().block()).isEqualTo(20);
			}
		});
	}

	@Test
	void buffersOfCancelledStreams_areReleased() {
		run((files) -> {
			for (int i = 0; i < 50; i++) {
				assertThat(files.download(Integer.MAX_VALUE, 2000).take(1 + i).count().block()).isEqualTo(1 + i);
				assertThat(files.echo(buffers(Integer.MAX_VALUE, 2000)).take(1 + i).count().block()).isEqualTo(1 + i);
			}
		});
	}

	@Test
	void buffersOfFailedUpload_areReleased() {
		run((files) -> {
			CompletableFuture<Long> sum = files.upload("a", buffers(100, 2000).publishOn(Schedulers.parallel())
				.concatWith(Flux.error(new IllegalStateException())));
			assertThat(sum.handle((done, failure) -> failure).join()).isNotNull();
		});
	}

}
