package io.rpcboot.internal.client.connection.http2;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiConsumer;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.security.Credentials;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Attachments of a call as metadata of gRPC. Between the caller and the event loop they
 * are bytes: length and text of each name and value.
 *
 * @param max largest attachments of a call, in bytes of a header list
 */
record MetadataEncoder(int max) implements AttachmentsEncoder {

	/** Returns all: the encoding drops those that do not fit. */
	@Override
	public Attachments fitting(Attachments attachments) {
		return attachments;
	}

	/** Credentials are not counted: they have a limit of their own. */
	@Override
	public byte[] encode(Attachments attachments) {
		String credentials = attachments.get(Credentials.ATTACHMENT);
		if (credentials == null || credentials.length() > Credentials.MAX_LENGTH) {
			return bytes(GrpcMetadata.encode(attachments, this.max));
		}
		Map<String, String> fields = GrpcMetadata.encode(attachments.copy().remove(Credentials.ATTACHMENT), this.max);
		fields
			.putAll(GrpcMetadata.encode(new Attachments().put(Credentials.ATTACHMENT, credentials), Integer.MAX_VALUE));
		return bytes(fields);
	}

	/** The fields are no part of the body. */
	@Override
	public void write(byte[] encoded, OutputBuffer out) {
	}

	/** Returns names and values as bytes. */
	static byte[] bytes(Map<String, String> fields) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (DataOutputStream out = new DataOutputStream(bytes)) {
			for (Map.Entry<String, String> each : fields.entrySet()) {
				write(out, each.getKey());
				write(out, each.getValue());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex); // memory does not fail
		}
		return bytes.toByteArray();
	}

	private static void write(DataOutputStream out, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		out.writeInt(bytes.length);
		out.write(bytes);
	}

	/**
	 * Reads names and values.
	 * @param bytes hold what {@link #bytes} has returned
	 * @param fields receives each name with its value
	 */
	static void read(byte[] bytes, BiConsumer<String, String> fields) {
		ByteBuffer in = ByteBuffer.wrap(bytes);
		while (in.hasRemaining()) {
			fields.accept(read(in), read(in));
		}
	}

	private static String read(ByteBuffer in) {
		int length = in.getInt();
		String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
		in.position(in.position() + length);
		return text;
	}

}
