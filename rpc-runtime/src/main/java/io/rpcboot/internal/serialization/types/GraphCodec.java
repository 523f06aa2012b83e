package io.rpcboot.internal.serialization.types;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.Side;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Slot;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;

/**
 * Codec of a service in any format. The own graph is compiled at once, readers of a
 * peer's contract by the first message of a method. Thread-safe.
 */
public final class GraphCodec implements ServiceCodec {

	private final ServiceGraph graph;

	private final Supplier<? extends Format<?>> formats;

	private final List<MethodCodec> methods;

	/**
	 * Creates a codec.
	 * @param graph own graph of types
	 * @param formats creates the format of the own graph, and another one for each peer
	 */
	public GraphCodec(ServiceGraph graph, Supplier<? extends Format<?>> formats) {
		this.graph = graph;
		this.formats = formats;
		Format<?> format = formats.get();
		this.methods = graph.methods().stream().map(format::compile).toList();
	}

	/** Returns the own graph, which other formats compile, too. */
	public ServiceGraph graph() {
		return this.graph;
	}

	@Override
	public Contract contract() {
		return this.graph.contract();
	}

	@Override
	public MethodCodec method(int number) {
		return this.methods.get(number);
	}

	@Override
	public Translation translate(Contract peer) {
		Linker linker = new Linker(peer);
		Format<?> format = this.formats.get();
		return (number, peerNumber) -> {
			MethodNode own = this.graph.methods().get(number);
			ContractMethod written = peer.methods().get(peerNumber);
			return new PeerMethodCodec(method(number),
					() -> build(linker, format, own, "arguments", () -> linker.arguments(own, written)),
					() -> build(linker, format, own, "result", () -> linker.replies(own, written)));
		};
	}

	@Override
	public List<String> missingFields(Contract peer, Side reader) {
		Stream<Slot> read = this.graph.methods()
			.stream()
			.flatMap((each) -> (reader == Side.SERVER) ? each.parameters().stream() : Stream.ofNullable(each.result()));
		return MissingFields.of(read.map(Slot::type), peer);
	}

	private static MethodCodec build(Linker linker, Format<?> format, MethodNode own, String what,
			Supplier<MethodNode> linked) {
		synchronized (linker) {
			try {
				return format.compile(linked.get());
			}
			catch (PathException ex) {
				throw PathException.failure(own.name(), what, ex);
			}
		}
	}

}
