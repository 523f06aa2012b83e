package io.rpcboot.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMatch;

/**
 * Reads the table of a peer, compares it with the own one and reads bodies with it. What
 * stands behind the first zero in an input is the body, the text before it the table.
 */
public final class ContractTarget implements FuzzTarget {

	private final ServiceCodec codec;

	public ContractTarget(Serializer serializer) {
		this.codec = serializer.codec(ServiceDescriptor.of(Pantry.class));
	}

	@Override
	public void run(byte[] input) {
		int zero = 0;
		while (zero < input.length && input[zero] != 0) {
			zero++;
		}
		String text = new String(input, 0, zero, StandardCharsets.UTF_8);
		Contract peer;
		try {
			peer = Contract.parse(text);
		}
		catch (ContractException ex) {
			return;
		}
		int body = Math.min(zero + 1, input.length);
		asServer(peer, input, body);
		asClient(peer, input, body);
	}

	/** The peer calls. */
	private void asServer(Contract peer, byte[] input, int body) {
		ContractMatch match = ContractMatch.of(peer, this.codec.contract());
		ServiceCodec.Translation translation = this.codec.translate(peer);
		for (int i = 0; i < peer.methods().size(); i++) {
			int own = match.serverMethod(i);
			if (own != ContractMatch.REFUSED) {
				MethodCodec method = translation.method(own, i);
				read(() -> method.deserializeArguments(input, body, input.length - body));
			}
		}
	}

	/** The peer is called. */
	private void asClient(Contract peer, byte[] input, int body) {
		ContractMatch match = ContractMatch.of(this.codec.contract(), peer);
		ServiceCodec.Translation translation = this.codec.translate(peer);
		for (int i = 0; i < this.codec.contract().methods().size(); i++) {
			int other = match.serverMethod(i);
			if (other != ContractMatch.REFUSED) {
				MethodCodec method = translation.method(i, other);
				read(() -> method.deserializeResult(input, body, input.length - body));
				read(() -> method.deserializeException(input, body, input.length - body));
			}
		}
	}

	private static void read(Runnable task) {
		try {
			task.run();
		}
		catch (SerializationException ex) {
			// the one that is right
		}
	}

	@Override
	public List<byte[]> seeds() {
		String own = this.codec.contract().text();
		List<String> tables = List.of(own, own.replace("  1 number int\n", "").replace("int[]", "long[]"),
				own.replace("JAM", "MARMALADE").replace(" name ", " title "),
				own.replace("java.util.List", "java.util.Set").replace("record ", "bean "),
				own.replace("  1 ", "  7 ").replace(" int", " short"));
		List<byte[]> seeds = new ArrayList<>();
		for (String table : tables) {
			for (String body : List.of("", "0b0800 0c", "0b0a016110050b08010c1b08021005100c1c0c",
					"0a01610b0a01620c1002")) {
				seeds.add(seed(table, HexFormat.of().parseHex(body.replace(" ", ""))));
			}
		}
		return seeds;
	}

	private static byte[] seed(String table, byte[] body) {
		byte[] text = table.getBytes(StandardCharsets.UTF_8);
		byte[] seed = Arrays.copyOf(text, text.length + 1 + body.length);
		System.arraycopy(body, 0, seed, text.length + 1, body.length);
		return seed;
	}

}
