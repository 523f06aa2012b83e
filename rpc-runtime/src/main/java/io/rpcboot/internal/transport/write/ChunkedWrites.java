package io.rpcboot.internal.transport.write;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;

/**
 * Writes large bodies from where they are. Stands beside write batch, which composes the
 * small ones. Event loop only.
 */
final class ChunkedWrites {

	private ChunkedWrites() {
	}

	/**
	 * Write a frame behind all that a batch holds. The batch is one of the owners of the
	 * body until that is done, or has failed.
	 * @param batch composes what leaves together
	 * @param frame the frame
	 * @param body its body
	 * @param length what its header says
	 */
	static void write(WriteBatch batch, OutboundFrame frame, ChunkedBody body, int length) {
		long place = batch.writesPlaces ? body.place() : 0;
		boolean again = body.isWritten() || body.skipped() > 0;
		int last = body.chunks().size() - 1;
		ByteBuf lastChunk;
		try {
			batch.writeSmall();
			if (again) {
				ByteBuf header = batch.channel.alloc().directBuffer(ChunkedBody.HEADER_ROOM + body.start().length);
				body.written();
				headers(header, place, frame, length);
				batch.write(header.writeBytes(body.start()), batch.completion);
			}
			else {
				body.written();
				headersBefore(body.chunks().get(0), place, frame, length);
			}
			// the other side reads a chunk while the next one is written
			for (int i = 0; i < last; i++) {
				batch.write(chunk(body, i, again), batch.completion);
				batch.channel.flush();
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

	private static void headersBefore(ByteBuf chunk, long place, OutboundFrame frame, int length) {
		int end = chunk.writerIndex();
		int count = FrameHeader.LENGTH + (length - frame.length) + ((place != 0) ? FrameHeader.LENGTH : 0);
		chunk.setIndex(ChunkedBody.HEADER_ROOM - count, ChunkedBody.HEADER_ROOM - count);
		headers(chunk, place, frame, length);
		chunk.writerIndex(end);
	}

	private static void headers(ByteBuf out, long place, OutboundFrame frame, int length) {
		if (place != 0) {
			FrameHeader.write(out, 0, FrameType.PLACE, 0, 0, place);
		}
		WriteBatch.header(out, frame, length);
	}

	/**
	 * A chunk for one write, which releases it. What is sent again may still be written
	 * to a connection that takes no more calls: its header stays as it is, and its index
	 * belongs to that write.
	 */
	private static ByteBuf chunk(ChunkedBody body, int index, boolean again) {
		ByteBuf chunk = body.chunks().get(index);
		if (!again) {
			return chunk.retain();
		}
		return chunk.retainedDuplicate()
			.setIndex((index == 0) ? ChunkedBody.HEADER_ROOM + body.skipped() : 0, chunk.writerIndex());
	}

}
