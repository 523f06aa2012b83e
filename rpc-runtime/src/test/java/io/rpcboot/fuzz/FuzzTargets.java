package io.rpcboot.fuzz;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** The targets by their names. */
public final class FuzzTargets {

	private FuzzTargets() {
	}

	/** All of them. */
	public static Map<String, Supplier<FuzzTarget>> all() {
		Map<String, Supplier<FuzzTarget>> targets = new LinkedHashMap<>();
		targets.put("deserializer", () -> new DeserializerTarget(new ProtostuffSerializer()));
		targets.put("protobuf", DeserializerTarget::ofProtobuf);
		targets.put("contract", () -> new ContractTarget(new ProtostuffSerializer()));
		targets.put("frames", () -> new FramesTarget(new ProtostuffSerializer()));
		targets.put("http2", Http2Target::new);
		return targets;
	}

	/** The inputs that the fuzzer found worth keeping for a target. */
	public static List<byte[]> kept(String target) {
		return FuzzCorpus.load(target);
	}

}
