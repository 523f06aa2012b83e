package io.rpcboot.serialization.proto;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.value.Numbers;

/** What a node becomes. */
abstract class ProtoType {

	static final ProtoType SKIPPED = new Scalar(ProtoWire.VARINT, (out, value) -> {
	}, (in) -> null);

	private static final Map<Class<?>, ProtoType> SCALARS = Map.of(Integer.class,
			new Scalar(ProtoWire.VARINT, (out, value) -> out.writeVarint((int) value), (in) -> (int) in.readVarint()),
			Long.class,
			new Scalar(ProtoWire.VARINT, (out, value) -> out.writeVarint((long) value), ProtoWire::readVarint),
			Boolean.class,
			new Scalar(ProtoWire.VARINT, (out, value) -> out.writeVarint((boolean) value ? 1 : 0),
					(in) -> in.readVarint() != 0),
			Double.class,
			new Scalar(ProtoWire.FIXED64, (out, value) -> out.writeDouble((double) value), ProtoWire::readDouble),
			String.class,
			new Scalar(ProtoWire.BYTES,
					(out, value) -> out.writeBytes(((String) value).getBytes(StandardCharsets.UTF_8)),
					(in) -> new String(in.readBytes(), StandardCharsets.UTF_8)));

	final int wireType;

	ProtoType(int wireType) {
		this.wireType = wireType;
	}

	static ProtoType scalar(Class<?> type) {
		return SCALARS.get(Numbers.box(type));
	}

	void writeField(ProtoWire out, int number, Object value) {
		out.writeVarint(number << 3 | this.wireType);
		write(out, value);
	}

	abstract void write(ProtoWire out, Object value);

	/** Read a value behind its tag; what came under the same number before is given. */
	abstract Object read(ProtoWire in, Object before);

	/** What a field is when all of its values were read. */
	Object finish(Object value) {
		return value;
	}

	private static final class Scalar extends ProtoType {

		private final BiConsumer<ProtoWire, Object> writer;

		private final Function<ProtoWire, Object> reader;

		Scalar(int wireType, BiConsumer<ProtoWire, Object> writer, Function<ProtoWire, Object> reader) {
			super(wireType);
			this.writer = writer;
			this.reader = reader;
		}

		@Override
		void write(ProtoWire out, Object value) {
			this.writer.accept(out, value);
		}

		@Override
		Object read(ProtoWire in, Object before) {
			return this.reader.apply(in);
		}

	}

}
