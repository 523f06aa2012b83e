package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.fixture.CountedAllocator;
import io.rpcboot.internal.transport.fixture.LargeBodies;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the way of a large body to the socket: header, chunks, end. */
class ChunkedBodyWriteTests {

	private static final int KIB = 1024;

	private final MemoryBudget account = new MemoryBudget(16L * KIB * KIB, 0);

	private final CountedAllocator allocator = new CountedAllocator(this.account);

	private final List<EmbeddedChannel> channels = new ArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		this.channels.forEach(EmbeddedChannel::finishAndReleaseAll);
		assertThat(this.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.allocator.used()).isZero();
	}

	@Test
	void singleChunkBody_sharesBuffer_withHeader() {
		byte[] bytes = bytes(100 * KIB);
		LargeFrame frame = new LargeFrame(bytes);
		EmbeddedChannel channel = channel();
		WriteBatch batch = new WriteBatch(channel, null);
		write(batch, frame, 7, true);
		List<ByteBuf> written = flushed(channel, batch);
		assertThat(written).hasSize(1);
		assertThat(all(written)).isEqualTo(expected(bytes, 7, true));
		frame.large().release();
	}

	@Test
	void headerWithoutDeadline_fitsReservedSpace() {
		byte[] bytes = bytes(600 * KIB);
		LargeFrame frame = new LargeFrame(bytes);
		EmbeddedChannel channel = channel();
		WriteBatch batch = new WriteBatch(channel, null);
		write(batch, frame, 8, false);
		assertThat(all(flushed(channel, batch))).isEqualTo(expected(bytes, 8, false));
		frame.large().release();
	}

	@Test
	void smallFrames_keepTheirOrderAroundLargeBody() {
		byte[] bytes = bytes(9 * KIB);
		LargeFrame frame = new LargeFrame(bytes);
		EmbeddedChannel channel = channel();
		WriteBatch batch = new WriteBatch(channel, null);
		ControlFrame small = new ControlFrame(FrameType.PING, 0, 1, OutboundFrame.NOTHING);
		batch.append(small, small.body);
		write(batch, frame, 9, true);
		batch.append(small, small.body);
		byte[] ping = new byte[FrameHeader.LENGTH];
		FrameHeader.write(Unpooled.wrappedBuffer(ping).clear(), 0, FrameType.PING, 0, 0, 1);
		assertThat(all(flushed(channel, batch))).startsWith(ping)
			.endsWith(ping)
			.containsSequence(expected(bytes, 9, true));
		frame.large().release();
	}

	/** As after a GO_AWAY that came while a call was being written. */
	@Test
	void repeatedWrite_leavesFirstWriteUnchanged() {
		byte[] bytes = bytes(300 * KIB);
		LargeFrame frame = new LargeFrame(bytes);
		EmbeddedChannel first = channel();
		EmbeddedChannel second = channel();
		WriteBatch firstBatch = new WriteBatch(first, null);
		WriteBatch secondBatch = new WriteBatch(second, null);
		write(firstBatch, frame, 70, true);
		write(secondBatch, frame, 1, true);
		List<ByteBuf> again = flushed(second, secondBatch);
		again.get(1).skipBytes(1000); // the socket has taken a part of it
		List<ByteBuf> before = flushed(first, firstBatch);
		again.get(1).readerIndex(again.get(1).readerIndex() - 1000);
		assertThat(all(before)).isEqualTo(expected(bytes, 70, true));
		assertThat(all(again)).isEqualTo(expected(bytes, 1, true));
		frame.large().release();
	}

	@Test
	void closedChannel_releasesBody() {
		LargeFrame frame = new LargeFrame(bytes(300 * KIB));
		EmbeddedChannel channel = channel();
		WriteBatch batch = new WriteBatch(channel, null);
		channel.close();
		write(batch, frame, 5, true);
		batch.flush(FlushReason.CLOSE);
		frame.large().release();
	}

	@Test
	void failedHeaderAllocation_releasesBody() {
		byte[] bytes = bytes(300 * KIB);
		LargeFrame frame = new LargeFrame(bytes);
		EmbeddedChannel first = channel();
		EmbeddedChannel second = channel();
		WriteBatch firstBatch = new WriteBatch(first, null);
		write(firstBatch, frame, 70, true);
		second.config().setAllocator(new NoMemory());
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> write(new WriteBatch(second, null), frame, 1, true));
		assertThat(all(flushed(first, firstBatch))).isEqualTo(expected(bytes, 70, true));
		frame.large().release();
	}

	private static final class NoMemory extends AbstractByteBufAllocator {

		@Override
		protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
			throw new OutOfMemoryError("heap");
		}

		@Override
		protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
			throw new OutOfMemoryError("direct");
		}

		@Override
		public boolean isDirectBufferPooled() {
			return false;
		}

	}

	private EmbeddedChannel channel() {
		EmbeddedChannel channel = new EmbeddedChannel();
		this.channels.add(channel);
		return channel;
	}

	private static void write(WriteBatch batch, LargeFrame frame, long id, boolean deadline) {
		assertThat(frame.large().retain()).isTrue();
		frame.hasDeadline = deadline;
		frame.callId = id;
		batch.append(frame, OutboundFrame.NOTHING);
	}

	private static List<ByteBuf> flushed(EmbeddedChannel channel, WriteBatch batch) {
		batch.flush(FlushReason.DRAINED);
		List<ByteBuf> result = new ArrayList<>();
		for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
			result.add(each);
		}
		return result;
	}

	/** Releases what was written. */
	private static byte[] all(List<ByteBuf> written) {
		ByteBuf all = Unpooled.wrappedBuffer(written.toArray(ByteBuf[]::new));
		byte[] result = ByteBufUtil.getBytes(all);
		all.release();
		return result;
	}

	private static byte[] expected(byte[] bytes, long id, boolean deadline) {
		return expected(bytes, bytes.length, id, deadline);
	}

	private static byte[] expected(byte[] bytes, int length, long id, boolean deadline) {
		ByteBuf all = Unpooled.buffer();
		FrameHeader.write(all, length + (deadline ? 4 : 0), FrameType.REQUEST, deadline ? FrameHeader.FLAG_DEADLINE : 0,
				0, id);
		if (deadline) {
			all.writeInt(1000);
		}
		return ByteBufUtil.getBytes(all.writeBytes(bytes));
	}

	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	private final class LargeFrame extends BinaryFrame {

		private boolean hasDeadline;

		LargeFrame(byte[] bytes) {
			super(FrameType.REQUEST, NOTHING);
			BodyAllocator memory = new BodyAllocator(ChunkedBodyWriteTests.this.account,
					ChunkedBodyWriteTests.this.allocator, 0);
			holds(NOTHING, bytes.length,
					LargeBodies.fill(new ChunkedBody(memory, System.nanoTime(), Integer.MAX_VALUE, 0, (length) -> {
					}), bytes));
		}

		@Override
		public int headerLength() {
			return super.headerLength() + (this.hasDeadline ? Integer.BYTES : 0);
		}

		@Override
		public void writeHeader(ByteBuf out) {
			out.writeBytes(expected(new byte[0], this.length, this.callId, this.hasDeadline));
		}

		ChunkedBody large() {
			assertThat(this.large).isNotNull();
			return this.large;
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			return WriteDecision.WRITE;
		}

		@Override
		public void onRejected() {
		}

	}

}
