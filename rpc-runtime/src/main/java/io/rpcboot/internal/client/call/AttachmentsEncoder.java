package io.rpcboot.internal.client.call;

import io.rpcboot.context.Attachments;
import io.rpcboot.serialization.OutputBuffer;

/** Encodes the attachments of requests as one protocol sends them. Any thread. */
public interface AttachmentsEncoder {

	/**
	 * Drops optional attachments that exceed the limit of the client.
	 * @return the same instance if all fit or none is optional
	 */
	Attachments fitting(Attachments attachments);

	/**
	 * Encodes attachments.
	 * @throws IllegalArgumentException if they exceed the limit of the client
	 */
	byte[] encode(Attachments attachments);

	/** Writes encoded attachments into the body, if the protocol sends them there. */
	void write(byte[] encoded, OutputBuffer out);

}
