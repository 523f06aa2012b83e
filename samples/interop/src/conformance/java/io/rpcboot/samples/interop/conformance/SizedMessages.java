package io.rpcboot.samples.interop.conformance;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/** Messages behind their length, by which the runner of the tests talks to a program. */
final class SizedMessages {

	private SizedMessages() {
	}

	/** Reads a message, null at the end. */
	static <M> @Nullable M read(InputStream in, Parser<M> parser) throws IOException {
		DataInputStream data = new DataInputStream(in);
		int length;
		try {
			length = data.readInt();
		}
		catch (EOFException ex) {
			return null;
		}
		byte[] bytes = new byte[length];
		data.readFully(bytes);
		return parser.parseFrom(bytes);
	}

	static void write(OutputStream out, MessageLite message) throws IOException {
		DataOutputStream data = new DataOutputStream(out);
		byte[] bytes = message.toByteArray();
		data.writeInt(bytes.length);
		data.write(bytes);
		data.flush();
	}

}
