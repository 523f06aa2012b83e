package io.rpcboot.hostile.attack;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * One connection of an attacker: what is to be written, and the headers of what arrives.
 * One thread.
 */
final class HostileConnection {

	/** Bodies are zeros that all connections share. */
	private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(Speech.MAX_BODY).asReadOnlyBuffer();

	/** What the first bytes of a body can be of use for: the total of a WINDOW. */
	private static final int KEPT = 8;

	/** So that thousands of connections do not take the system's memory. */
	private static final int SEND_BUFFER = 64 * 1024;

	/** Of the swarm: nothing stays in it after a read. */
	private final ByteBuffer chunk;

	private final ByteBuffer head = ByteBuffer.allocate(Speech.HEADER);

	private final ByteBuffer start = ByteBuffer.allocate(KEPT);

	private final Queue<ByteBuffer> unsent = new ArrayDeque<>();

	private final SocketChannel channel;

	private final SelectionKey key;

	private final Role role;

	private final AttackCounts counts;

	private int prefaceLeft = 8;

	private int bodyLeft = -1;

	private boolean reads = true;

	private boolean established;

	private boolean finishing;

	private boolean ended;

	HostileConnection(SocketAddress victim, Selector selector, ByteBuffer chunk, Role role, AttackCounts counts)
			throws IOException {
		this.chunk = chunk;
		this.channel = SocketChannel.open();
		this.role = role;
		this.counts = counts;
		this.channel.configureBlocking(false);
		this.channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
		if (role.receiveBuffer() > 0) {
			this.channel.setOption(StandardSocketOptions.SO_RCVBUF, role.receiveBuffer());
		}
		this.key = this.channel.register(selector, SelectionKey.OP_CONNECT, this);
		if (this.channel.connect(victim)) {
			connected();
		}
	}

	private void connected() {
		this.established = true;
		this.counts.connected();
		this.role.begin(this);
		interest();
	}

	private void interest() {
		if (this.key.isValid()) {
			this.key.interestOps(
					(this.reads ? SelectionKey.OP_READ : 0) | (this.unsent.isEmpty() ? 0 : SelectionKey.OP_WRITE));
		}
	}

	void send(ByteBuffer... frames) {
		for (ByteBuffer each : frames) {
			this.unsent.add(each);
		}
		interest();
	}

	/** As many bytes of a body. */
	void sendZeros(int count) {
		send(ZEROS.duplicate().limit(count));
	}

	boolean hasUnsent() {
		return !this.unsent.isEmpty();
	}

	/** From here on what arrives stays in the socket. */
	void stopReading() {
		this.reads = false;
		interest();
	}

	void startReading() {
		this.reads = true;
		interest();
	}

	/** Close when all is written and the victim has got it. */
	void finish() {
		this.finishing = true;
		try {
			this.channel.shutdownOutput();
		}
		catch (IOException ex) {
			end();
		}
	}

	boolean isFinishing() {
		return this.finishing;
	}

	/** Close at once; the victim gets a reset. */
	void end() {
		if (this.ended) {
			return;
		}
		this.ended = true;
		try {
			this.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
			this.channel.close();
		}
		catch (IOException ignored) {
			// it is closed
		}
	}

	boolean isEnded() {
		return this.ended;
	}

	Role role() {
		return this.role;
	}

	/** The selector has found something. */
	void ready() {
		try {
			if (this.key.isConnectable() && this.channel.finishConnect()) {
				connected();
			}
			if (!this.ended && this.key.isReadable()) {
				read();
			}
			if (!this.ended && this.key.isValid() && this.key.isWritable()) {
				write();
			}
		}
		catch (IOException ex) {
			cut();
		}
	}

	private void cut() {
		if (this.established && !this.finishing) {
			this.counts.cut();
		}
		end();
	}

	private void write() throws IOException {
		while (!this.unsent.isEmpty()) {
			ByteBuffer first = this.unsent.element();
			this.counts.sent(this.channel.write(first));
			if (first.hasRemaining()) {
				return;
			}
			this.unsent.remove();
		}
		this.role.drained();
		interest();
	}

	private void read() throws IOException {
		this.chunk.clear();
		int count = this.channel.read(this.chunk);
		if (count < 0) {
			cut();
			return;
		}
		this.chunk.flip();
		if (!this.role.isNative()) {
			this.role.arrived(this.chunk);
		}
		while (this.role.isNative() && this.chunk.hasRemaining() && !this.ended) {
			decode();
		}
	}

	private void decode() {
		if (this.prefaceLeft > 0) {
			this.prefaceLeft -= skip(this.prefaceLeft);
		}
		else if (this.bodyLeft < 0) {
			fill(this.head);
			if (!this.head.hasRemaining()) {
				this.bodyLeft = this.head.getInt(0);
				this.start.clear();
				frameIfWhole();
			}
		}
		else {
			int before = this.chunk.position();
			fill(this.start);
			this.bodyLeft -= this.chunk.position() - before;
			this.bodyLeft -= skip(this.bodyLeft);
			frameIfWhole();
		}
	}

	private void frameIfWhole() {
		if (this.bodyLeft > 0) {
			return;
		}
		this.bodyLeft = -1;
		this.head.clear();
		long value = (this.start.position() == KEPT) ? this.start.getLong(0) : 0;
		this.role.received(this.head.get(4), this.head.getShort(6) & 0xffff, this.head.getLong(8), this.head.getInt(0),
				value);
	}

	/** Of the frame that has arrived last. */
	int flags() {
		return this.head.get(5);
	}

	private void fill(ByteBuffer target) {
		int most = Math.min(target.remaining(), this.chunk.remaining());
		if (target == this.start) {
			most = Math.min(most, this.bodyLeft);
		}
		target.put(this.chunk.slice(this.chunk.position(), most));
		skip(most);
	}

	private int skip(int most) {
		int count = Math.min(most, this.chunk.remaining());
		this.chunk.position(this.chunk.position() + count);
		return count;
	}

}
