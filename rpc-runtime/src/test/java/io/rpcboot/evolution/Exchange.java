package io.rpcboot.evolution;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractMatch;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client and a server of two versions, without a connection between them: bytes that
 * one codec writes and the other reads.
 */
final class Exchange {

	private final Side client;

	private final Side server;

	private final ContractMatch match;

	private Exchange(Side client, Side server) {
		this.client = client;
		this.server = server;
		this.match = ContractMatch.of(client.codec.contract(), server.codec.contract());
	}

	static Exchange between(Serializer serializer, CompiledVersion client, CompiledVersion server) {
		return new Exchange(new Side(serializer, client), new Side(serializer, server));
	}

	String difference() {
		return this.match.difference(this.client.number(this.client.version.method().getName()));
	}

	/** What the client's argument looks like at the server. */
	void requireArgument(String expected) {
		if (this.client.version.method().getParameterCount() == 0) {
			return;
		}
		OutputBuffer out = buffer();
		clientCodec().serializeArguments(new Object[] { this.client.version.value() }, out);
		requireArrival(expected, () -> serverCodec().deserializeArguments(out.array(), 0, out.length())[0]);
	}

	/** What the server's result or exception looks like at the client. */
	void requireReply(String expected) {
		Object value = this.server.version.value();
		OutputBuffer out = buffer();
		if (value instanceof Throwable thrown) {
			assertThat(serverCodec().serializeException(thrown, out)).isTrue();
			requireArrival(expected, () -> clientCodec().deserializeException(out.array(), 0, out.length()));
			return;
		}
		boolean answers = this.server.version.method().getReturnType() != void.class;
		boolean listens = this.client.version.method().getReturnType() != void.class;
		serverCodec().serializeResult(answers ? value : null, out);
		requireArrival(answers && listens ? expected : "null",
				() -> clientCodec().deserializeResult(out.array(), 0, out.length()));
	}

	/** Failures are described in the words of the default serializer. */
	private void requireArrival(String expected, Arrival arrival) {
		try {
			assertThat(Dump.of(arrival.read())).isEqualTo(expected);
		}
		catch (SerializationException ex) {
			assertThat(expected).startsWith(EvolutionRow.ERROR);
			if (this.server.codec.contract().format().startsWith("protostuff/")) {
				assertThat(ex).message().contains(expected.substring(EvolutionRow.ERROR.length()));
			}
		}
	}

	/** A method that did not change can be called whatever happened to others. */
	void requireUntouched() {
		int number = this.client.number(CompiledVersion.UNTOUCHED);
		assertThat(this.match.difference(number)).isEmpty();
		OutputBuffer out = buffer();
		codec(this.client, this.server, number, this.match.serverMethod(number)).serializeArguments(new Object[] { 7 },
				out);
		assertThat(codec(this.server, this.client, this.match.serverMethod(number), number)
			.deserializeArguments(out.array(), 0, out.length())).containsExactly(7);
	}

	private MethodCodec clientCodec() {
		int number = this.client.number(this.client.version.method().getName());
		return codec(this.client, this.server, number, this.match.serverMethod(number));
	}

	private MethodCodec serverCodec() {
		int number = this.client.number(this.client.version.method().getName());
		return codec(this.server, this.client, this.match.serverMethod(number), number);
	}

	private static MethodCodec codec(Side own, Side peer, int number, int peerNumber) {
		return own.codec.translate(peer.codec.contract()).method(number, peerNumber);
	}

	private static OutputBuffer buffer() {
		return new OutputBuffer(new byte[64], 1 << 16);
	}

	/** Reads what the other side wrote. */
	private interface Arrival {

		Object read();

	}

	/** One side. */
	private static final class Side {

		private final CompiledVersion version;

		private final ServiceDescriptor descriptor;

		private final ServiceCodec codec;

		Side(Serializer serializer, CompiledVersion version) {
			this.version = version;
			this.descriptor = version.descriptor();
			this.codec = serializer.codec(this.descriptor);
		}

		int number(String name) {
			return this.descriptor.methods()
				.stream()
				.filter((each) -> name.equals(CompiledVersion.UNTOUCHED) ? each.name().equals(name)
						: each.method().equals(this.version.method()))
				.findFirst()
				.orElseThrow()
				.number();
		}

	}

}
