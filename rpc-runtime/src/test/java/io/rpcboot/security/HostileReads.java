package io.rpcboot.security;

import java.util.Map;
import java.util.function.Function;

import io.rpcboot.fuzz.FuzzTarget;
import io.rpcboot.fuzz.FuzzTargets;
import io.rpcboot.serialization.SerializationException;

/** Reads all valid and all hostile bytes, in whichever class loader it is. */
public final class HostileReads implements Function<String, Integer> {

	private final Sink sink = new Sink();

	private final FuzzTarget target = FuzzTargets.all().get("deserializer").get();

	private final Map<String, Runnable> parts = Map.of("valid", this::readValid, "hostile", this::readHostile);

	private int refused;

	@Override
	public Integer apply(String part) {
		this.refused = 0;
		this.parts.get(part).run();
		return this.refused;
	}

	private void readValid() {
		this.target.seeds().forEach(this.target::run);
	}

	private void readHostile() {
		FuzzTargets.kept("deserializer").forEach(this.target::run);
		for (Attacks.Attack attack : Attacks.all()) {
			byte[] bytes = attack.bytes();
			try {
				this.sink.method(attack.method()).deserializeResult(bytes, 0, bytes.length);
			}
			catch (SerializationException ex) {
				this.refused++;
			}
		}
	}

}
