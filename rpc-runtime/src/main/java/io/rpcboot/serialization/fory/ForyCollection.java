package io.rpcboot.serialization.fory;

import java.util.Collection;

import io.rpcboot.serialization.protostuff.ServiceCollection;

/**
 * A collection.
 */
final class ForyCollection extends ForyType {

	private final ServiceCollection kind;

	private final ForyType element;

	ForyCollection(ServiceCollection kind, ForyType element) {
		super(kind.javaType());
		this.kind = kind;
		this.element = element;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(javaType(), value);
		Collection<?> elements = this.kind.elements(value);
		int size = elements.size();
		ForyElements.start(out, size, this.kind.isReversed(value));
		int index = 0;
		for (Object each : elements) {
			ForyElements.write(out, this.element, each, index++);
		}
		if (index != size) {
			throw new ForyFailure("%d elements and then %d (expected: no change meanwhile)".formatted(size, index));
		}
		out.leave();
	}

	@Override
	Object read(ForyInput in) {
		in.enter();
		int size = in.size();
		ServiceCollection.Elements elements = this.kind.begin(in.budget, in.flag());
		ForyElements.read(in, size, this.element, elements::add);
		in.leave();
		return elements.finish();
	}

}
