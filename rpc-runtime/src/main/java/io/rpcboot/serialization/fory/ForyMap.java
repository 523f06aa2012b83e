package io.rpcboot.serialization.fory;

import java.util.Map;

import io.rpcboot.serialization.protostuff.ServiceMap;

/**
 * A map: key and value of each entry in turn.
 */
final class ForyMap extends ForyType {

	private final ServiceMap kind;

	private final ForyType key;

	private final ForyType value;

	ForyMap(ServiceMap kind, ForyType key, ForyType value) {
		super(kind.javaType());
		this.kind = kind;
		this.key = key;
		this.value = value;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(javaType(), value);
		Map<?, ?> map = (Map<?, ?>) value;
		int size = map.size();
		ForyElements.start(out, size, this.kind.isReversed(map));
		int index = 0;
		for (Map.Entry<?, ?> each : map.entrySet()) {
			ForyElements.write(out, this.key, each.getKey(), index);
			ForyElements.write(out, this.value, each.getValue(), index++);
		}
		if (index != size) {
			throw new ForyFailure("%d entries and then %d (expected: no change meanwhile)".formatted(size, index));
		}
		out.leave();
	}

	@Override
	Object read(ForyInput in) {
		in.enter();
		int size = in.size();
		ServiceMap.Entries entries = this.kind.begin(in.budget, in.flag());
		for (int i = 0; i < size; i++) {
			Object name = ForyElements.read(in, this.key, i);
			entries.put(name, ForyElements.read(in, this.value, i));
		}
		in.leave();
		return entries.finish();
	}

}
