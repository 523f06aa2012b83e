package io.rpcboot.internal.transport;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.FrameHeader;

/**
 * Writes large bodies from where they are. Stands beside write batch, which composes the
 * small ones. Event loop only.
 */
final class LargeWrites {

	private LargeWrites() {
	}

	/**
	 * Write a frame behind all that a batch holds. The batch is one of the owners of the
	 * body until that is done, or has failed.
	 * @param batch composes what leaves together
	 * @param frame the frame
	 * @param body its body
	 * @param length what its header says
	 */
	static void write(WriteBatch batch, Frame frame, LargeBody body, int length) {
		boolean again = body.isWritten() || body.skipped() > 0;
		int last = body.chunks().size() - 1;
		ByteBuf lastChunk;
		try {
			batch.writeSmall();
			if (again) {
				ByteBuf header = batch.channel.alloc().directBuffer(LargeBody.HEADER_ROOM + body.start().length);
				body.written();
				WriteBatch.header(header, frame, length);
				batch.write(header.writeBytes(body.start()), batch.completion);
			}
			else {
				body.written();
				headerBefore(body.chunks().get(0), frame, length);
			}
			for (int i = 0; i < last; i++) {
				batch.write(chunk(body, i, again), batch.completion);
			}
			lastChunk = chunk(body, last, again);
		}
		catch (RuntimeException | Error ex) {
			body.release();
			throw ex;
		}
		batch.write(lastChunk, (write) -> {
			body.release();
			batch.completed(write);
		});
	}

	private static void headerBefore(ByteBuf chunk, Frame frame, int length) {
		int end = chunk.writerIndex();
		int start = LargeBody.HEADER_ROOM - FrameHeader.LENGTH - (length - frame.length);
		chunk.setIndex(start, start);
		WriteBatch.header(chunk, frame, length);
		chunk.writerIndex(end);
	}

	/**
	 * A chunk for one write, which releases it. What is sent again may still be written
	 * to a connection that takes no more calls: its header stays as it is, and its index
	 * belongs to that write.
	 */
	private static ByteBuf chunk(LargeBody body, int index, boolean again) {
		ByteBuf chunk = body.chunks().get(index);
		if (!again) {
			return chunk.retain();
		}
		return chunk.retainedDuplicate()
			.setIndex((index == 0) ? LargeBody.HEADER_ROOM + body.skipped() : 0, chunk.writerIndex());
	}

}
